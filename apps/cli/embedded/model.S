/* The three files of the embedded model as bytes; paths come from CMake. */

#if defined(__APPLE__)
#define SYMBOL(name) _##name
  .const
#else
#define SYMBOL(name) name
  .section .rodata
#endif

#define EMBED(name, file)           \
  .globl SYMBOL(name)              ;\
  .globl SYMBOL(name##_end)        ;\
  .balign 64                       ;\
  SYMBOL(name): .incbin file       ;\
  SYMBOL(name##_end): .byte 0

EMBED(tessera_embedded_cfg, TESSERA_EMBEDDED_CFG)
EMBED(tessera_embedded_weights, TESSERA_EMBEDDED_WEIGHTS)
EMBED(tessera_embedded_names, TESSERA_EMBEDDED_NAMES)

#if defined(__ELF__)
  .section .note.GNU-stack, "", %progbits
#endif
