"""How far apart colours are, for people with all cones and without some."""

# What people see who have no cones for long or for middle waves, as matrices of linear RGB: Machado, Oliveira and Fernandes, "A
# Physiologically-based Model for Simulation of Color Vision Deficiency", 2009.
VISIONS = {"all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
           "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
           "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))}


def lab(rgb, vision=VISIONS["all cones"]):
    """CIELAB of an sRGB colour of three bytes, as it is seen."""
    light = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (byte / 255 for byte in rgb)]
    linear = [min(1, max(0, sum(a * b for a, b in zip(row, light)))) for row in vision]
    rows = ((0.4124, 0.3576, 0.1805, 0.9505), (0.2126, 0.7152, 0.0722, 1), (0.0193, 0.1192, 0.9505, 1.089))
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116
               for t in (sum(a * b for a, b in zip(row, linear)) / row[3] for row in rows))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)
