/* Runs Debian's darknet on one input tensor and writes its raw heads: the output of each layer in front of [yolo].
 *
 * usage: darknet_heads MODEL.cfg MODEL.weights INPUT.f32 OUTPUT.f32
 * INPUT is raw little-endian f32, CHW. OUTPUT is the heads one after another, CHW each, in file order.
 * build: cc darknet_heads.c -I/usr/lib/darknet/include -L/usr/lib/darknet -ldarknet -Wl,-rpath,/usr/lib/darknet
 */
#include <darknet.h>
#include <stdio.h>
#include <stdlib.h>

static void fail(const char *what, const char *name) {
  fprintf(stderr, "darknet_heads: %s %s\n", what, name);
  exit(1);
}

int main(int argc, char **argv) {
  if (argc != 5) fail("want MODEL.cfg MODEL.weights INPUT.f32 OUTPUT.f32, got another number of", "arguments");
  network *net = load_network(argv[1], argv[2], 0);
  set_batch_network(net, 1);
  const size_t count = (size_t)net->h * net->w * net->c;
  float *input = malloc(count * sizeof(float));
  FILE *in = fopen(argv[3], "rb");
  if (!in || fread(input, sizeof(float), count, in) != count) fail("input is too short:", argv[3]);
  network_predict(net, input);
  FILE *out = fopen(argv[4], "wb");
  if (!out) fail("cannot write", argv[4]);
  for (int i = 1; i < net->n; ++i) {
    if (net->layers[i].type != YOLO) continue;
    const layer head = net->layers[i - 1];
    if (fwrite(head.output, sizeof(float), (size_t)head.outputs, out) != (size_t)head.outputs) fail("cannot write", argv[4]);
  }
  if (fclose(out) != 0) fail("cannot write", argv[4]);
  return 0;
}
