"""tessera convert: the native file gives the same detections."""
import os

from support import CliTest, main, png


class Convert(CliTest):
    def test_same_detections_from_one_file(self):
        model = self.tiny_model()
        photo = self.write("w.png", png(90, 50))
        darknet = self.run_tessera("detect", *model, "--json", photo).out
        done = self.run_tessera("convert", "tiny.cfg", "tiny.tessera", "--names", "tiny.names", "--weights", "tiny.weights")
        self.assertNames(done, "written to tiny.tessera")
        os.remove(self.path("tiny.weights"))
        os.remove(self.path("tiny.names"))
        self.assertEqual(self.run_tessera("detect", "--model", "tiny.tessera", "--json", photo).out, darknet)

    def test_a_file_that_reads_bytes(self):
        model = self.tiny_model()
        photo = self.write("w.png", png(90, 50))
        self.run_tessera("convert", "tiny.cfg", "u8.tessera", "--names", "tiny.names", "--pixels", "u8")
        self.assertEqual(self.run_tessera("detect", "--model", "u8.tessera", "--json", photo).out,
                         self.run_tessera("detect", *model, "--pixels", "u8", "--json", photo).out)
        done = self.run_tessera("inspect", "u8.tessera", "--pixels", "u8", status=1)
        self.assertNames(done, "tiny.cfg: bytes: input 'input' is of u8 already")

    def test_size_is_kept(self):
        self.tiny_model()
        self.run_tessera("convert", "tiny.cfg", "big.tessera", "--size", "96")
        self.assertEqual(self.run_tessera("inspect", "big.tessera", "--json").json()["input"]["width"], 96)

    def test_quiet_and_errors(self):
        self.tiny_model()
        self.assertEqual(self.run_tessera("convert", "tiny.cfg", "t.tessera", "--quiet").err, "")
        self.assertNames(self.run_tessera("convert", "tiny.cfg", "no/such/t.tessera", status=1), "no/such/t.tessera")
        whole = self.path("t.tessera").read_bytes()
        self.write("t.tessera", whole[:-8])
        self.assertNames(self.run_tessera("inspect", "t.tessera", status=1), "t.tessera")


if __name__ == "__main__":
    main()
