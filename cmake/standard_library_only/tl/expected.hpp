#error "BoxDecode depends on nothing but the standard library: include no header that includes tl/expected.hpp"
