import { readFileSync } from 'node:fs';
import { crc32, deflateRawSync } from 'node:zlib';

interface ZipEntry {
  readonly name: string;
  readonly path: string;
  readonly mode: number;
}

const DOS_EPOCH_DATE = 0x0021; // 1980-01-01, fixed so that archives of the same files are identical.

/** A zip archive of a few files (no zip64: each file and the archive stay below 4 GiB). */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const data = readFileSync(entry.path);
    const packed = deflateRawSync(data, { level: 9 });
    const name = Buffer.from(entry.name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0); // version needed
    fields.writeUInt16LE(0x0800, 2); // names are UTF-8
    fields.writeUInt16LE(8, 4); // deflate
    fields.writeUInt16LE(0, 6);
    fields.writeUInt16LE(DOS_EPOCH_DATE, 8);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(data.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, packed]);
    // The central record repeats the fields after a "made by unix" version.
    central.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), fields, centralTail(entry.mode, offset), name]),
    );
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

/** Comment length, disk, attributes and position: the fields only a central record has. */
function centralTail(mode: number, offset: number): Buffer {
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE(((0o100000 | mode) << 16) >>> 0, 6);
  tail.writeUInt32LE(offset, 10);
  return tail;
}
