/** A colour, half of it the ground: layers of half-seen lines would add up to something brighter. */
export function faded(color: string, ground: string): string {
  const [one, other] = [partsOf(color), partsOf(ground)];
  const mixed = one.map((part, place) => Math.round((part + other[place]!) / 2));
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** Red, green and blue of `#rrggbb`, or of `#rgb`, as which styles are shipped where both say the same. */
function partsOf(hex: string): readonly number[] {
  const long = hex.length === 4 ? hex.replace(/[^#]/g, '$&$&') : hex;
  return [1, 3, 5].map((at) => Number.parseInt(long.slice(at, at + 2), 16));
}
