/** A member of a tar archive. */
export interface TarFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Type flag. @default '0', a file */
  readonly kind?: string;
}

/** A tar archive; names beyond 100 bytes as GNU writes them. */
export function tarOf(files: readonly TarFile[]): Buffer {
  const members = files.flatMap(({ name, bytes, kind = '0' }) => {
    const whole = [header(name.slice(0, 100), bytes.length, kind), padded(bytes)];
    if (Buffer.byteLength(name) <= 100) return whole;
    const long = Buffer.from(`${name}\0`);
    return [header('././@LongLink', long.length, 'L'), padded(long), ...whole];
  });
  return Buffer.concat([...members, Buffer.alloc(1024)]);
}

function header(name: string, size: number, kind: string): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0, 100);
  block.write('0000644\0', 100);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.fill(' ', 148, 156);
  block.write(kind, 156);
  block.write('ustar\0', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function padded(bytes: Uint8Array): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & 511)]);
}
