// SPDX-License-Identifier: Apache-2.0

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.oclite.DataType;
import org.oclite.Interpreter;
import org.oclite.OpenclDelegate;
import org.oclite.Tensor;

/**
 * Classifies a picture, and prints the five most probable classes.
 *
 * <pre>
 * LabelImage MODEL IMAGE LABELS [DEVICE]
 * </pre>
 *
 * <p>MODEL takes pictures [1, height, width, 3], as floats from -1 to 1 or as quantized numbers, and gives a score for
 * each class. LABELS has the name of one class per line. DEVICE is an OpenCL device, such as "gpu".
 */
public final class LabelImage {
    private static final int SHOWN = 5;

    private LabelImage() {
    }

    private static BufferedImage scaled(BufferedImage image, int width, int height) {
        BufferedImage result = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = result.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
        graphics.drawImage(image, 0, 0, width, height, null);
        graphics.dispose();
        return result;
    }

    /** Stores -1..1 as the input wants it. */
    private static void put(ByteBuffer pixels, Tensor input, float value) {
        if (input.dataType() == DataType.FLOAT32) {
            pixels.putFloat(value);
            return;
        }
        Tensor.QuantizationParams quantization = input.quantizationParams();
        int low = input.dataType() == DataType.INT8 ? -128 : 0;
        int stored = Math.round(value / quantization.getScale()) + quantization.getZeroPoint();
        pixels.put((byte) Math.min(Math.max(stored, low), low + 255));
    }

    private static ByteBuffer pixels(BufferedImage image, Tensor input) {
        int[] shape = input.shape();
        BufferedImage picture = scaled(image, shape[2], shape[1]);
        ByteBuffer pixels = ByteBuffer.allocateDirect(input.numBytes()).order(ByteOrder.nativeOrder());
        for (int y = 0; y < shape[1]; y++) {
            for (int x = 0; x < shape[2]; x++) {
                for (int shift = 16; shift >= 0; shift -= 8) { // red, green, blue
                    put(pixels, input, ((picture.getRGB(x, y) >> shift & 0xff) - 127.5f) / 127.5f);
                }
            }
        }
        return pixels;
    }

    private static float[] scores(ByteBuffer stored, Tensor output) {
        float[] scores = new float[output.numElements()];
        Tensor.QuantizationParams quantization = output.quantizationParams();
        for (int i = 0; i < scores.length; i++) {
            if (output.dataType() == DataType.FLOAT32) {
                scores[i] = stored.getFloat(4 * i);
            } else {
                int value = output.dataType() == DataType.INT8 ? stored.get(i) : stored.get(i) & 0xff;
                scores[i] = quantization.getScale() * (value - quantization.getZeroPoint());
            }
        }
        return scores;
    }

    private static void classify(Interpreter interpreter, BufferedImage image, List<String> labels) {
        Tensor input = interpreter.getInputTensor(0);
        Tensor output = interpreter.getOutputTensor(0);
        ByteBuffer stored = ByteBuffer.allocateDirect(output.numBytes()).order(ByteOrder.nativeOrder());
        interpreter.run(pixels(image, input), stored);
        float[] scores = scores(stored, output);
        IntStream.range(0, scores.length).boxed().sorted(Comparator.comparingDouble(i -> -scores[i])).limit(SHOWN)
                .forEach(i -> System.out.printf("%.4f %s%n", scores[i],
                        i < labels.size() ? labels.get(i) : "class " + i));
        System.out.printf("%.1f ms%n", interpreter.getLastNativeInferenceDurationNanoseconds() / 1e6);
    }

    /**
     * Prints the classes.
     *
     * @param arguments the files, and perhaps a device
     * @throws IOException where a file cannot be read
     */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length < 3 || arguments.length > 4) {
            System.err.println("LabelImage MODEL IMAGE LABELS [DEVICE]");
            System.exit(2);
        }
        BufferedImage image = ImageIO.read(new File(arguments[1]));
        if (image == null) {
            throw new IOException(arguments[1] + " is no picture that Java can read");
        }
        List<String> labels = Files.readAllLines(Path.of(arguments[2]));
        Interpreter.Options options = new Interpreter.Options();
        try (OpenclDelegate delegate = arguments.length < 4 ? null
                : new OpenclDelegate(new OpenclDelegate.Options().setDevice(arguments[3]))) {
            if (delegate != null) {
                options.addDelegate(delegate);
            }
            try (Interpreter interpreter = new Interpreter(new File(arguments[0]), options)) {
                classify(interpreter, image, labels);
            }
        }
    }
}
