import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveKey } from '../../kernel/seal.ts';
import type { SecretKey } from '../../secrets/secret-key.ts';
import { type ByteReader, createByteReader } from './byte-reader.ts';

/**
 * A backup is one line of JSON that anybody can read, and then frames, each encrypted with AES-256-GCM under a key that is derived
 * from the secret key and the salt of this file. The number of a frame, and that it is the last one, are in its nonce: a file
 * whose frames were changed, left out, swapped or cut off cannot be opened.
 */
export interface BackupHeader {
  format: typeof FORMAT;
  madeAt: string;
  /** The newest migration of each environment's schema: a build that lacks it cannot read the data. */
  migrations: Readonly<Record<string, string>>;
  /** The id of the secret key that opens it. */
  secretKeyId: string;
  salt: string;
}

export type BackupFacts = Pick<BackupHeader, 'madeAt' | 'migrations'>;

/** The file is no backup, or not a whole one. */
export class InvalidBackupError extends Error {
  override readonly name = 'InvalidBackupError';
}

const FORMAT = 'dateline backup 1';
const HEADER_BYTES_MAX = 4_096;
const FRAME_BYTES = 256 * 1024;
const TAG_BYTES = 16;
const LENGTH_BYTES = 4;
/** Of the length of a frame: it is the last one. */
const LAST = 0x8000_0000;
const ALGORITHM = 'aes-256-gcm';

/** Encrypts what the source gives. */
export async function* sealBackup(
  source: AsyncIterable<Uint8Array>,
  facts: BackupFacts,
  key: SecretKey,
): AsyncGenerator<Buffer> {
  const header: BackupHeader = {
    format: FORMAT,
    ...facts,
    secretKeyId: key.id,
    salt: randomBytes(32).toString('hex'),
  };
  const line = JSON.stringify(header);
  yield Buffer.from(`${line}\n`);
  const sealing = { key: fileKey(key, header), line };
  const reader = createByteReader(source);
  let contents = await reader.take(FRAME_BYTES);
  for (let number = 0; ; number += 1) {
    const following = await reader.take(FRAME_BYTES);
    const isLast = following.length === 0;
    yield sealFrame(contents, { ...sealing, number, isLast });
    if (isLast) return;
    contents = following;
  }
}

/** Reads the first line, without the key. */
export async function readHeader(file: ByteReader): Promise<{ header: BackupHeader; line: string }> {
  const line = await file.line(HEADER_BYTES_MAX);
  const header = line === null ? null : parseHeader(line);
  if (line === null || !header)
    throw new InvalidBackupError('it does not begin like a backup of this service');
  return { header, line };
}

/** Decrypts the frames that follow the header. Throws at the first byte that was not written so. */
export async function* openBackup(
  file: ByteReader,
  { header, line }: { header: BackupHeader; line: string },
  key: SecretKey,
): AsyncGenerator<Buffer> {
  const opening = { key: fileKey(key, header), line };
  let number = 0;
  for await (const { sealed, isLast } of framesOf(file)) {
    yield openFrame(sealed, { ...opening, number, isLast });
    number += 1;
  }
}

/** Passes the bytes of a backup on, and throws where it is not whole: for who has no key. */
export async function* wholeBackup(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const file = createByteReader(source);
  const { line } = await readHeader(file);
  yield Buffer.from(`${line}\n`);
  for await (const { length, sealed } of framesOf(file)) {
    yield length;
    yield sealed;
  }
}

interface Frame {
  /** As it is in the file. */
  length: Buffer;
  sealed: Buffer;
  isLast: boolean;
}

async function* framesOf(file: ByteReader): AsyncGenerator<Frame> {
  for (;;) {
    const length = await file.take(LENGTH_BYTES);
    if (length.length < LENGTH_BYTES) throw cutOff();
    const marked = length.readUInt32BE();
    const isLast = marked >= LAST;
    const bytes = isLast ? marked - LAST : marked;
    if (bytes < TAG_BYTES || bytes > FRAME_BYTES + TAG_BYTES) throw changed();
    const sealed = await file.take(bytes);
    if (sealed.length < bytes) throw cutOff();
    yield { length, sealed, isLast };
    if (!isLast) continue;
    if ((await file.take(1)).length > 0) throw changed();
    return;
  }
}

interface FramePlace {
  key: Buffer;
  /** The first line of the file, which is authenticated with every frame. */
  line: string;
  number: number;
  isLast: boolean;
}

function sealFrame(contents: Buffer, { key, line, number, isLast }: FramePlace): Buffer {
  const cipher = createCipheriv(ALGORITHM, key, nonceOf(number, isLast)).setAAD(Buffer.from(line));
  const sealed = Buffer.concat([cipher.update(contents), cipher.final(), cipher.getAuthTag()]);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(sealed.length + (isLast ? LAST : 0));
  return Buffer.concat([length, sealed]);
}

function openFrame(sealed: Buffer, { key, line, number, isLast }: FramePlace): Buffer {
  const decipher = createDecipheriv(ALGORITHM, key, nonceOf(number, isLast)).setAAD(Buffer.from(line));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    throw changed();
  }
}

/** Never twice under one key: every file has a key of its own. */
function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 5, 6);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

function fileKey({ bytes }: SecretKey, { salt }: BackupHeader): Buffer {
  return deriveKey(bytes, `dateline backup ${salt}`);
}

function parseHeader(line: string): BackupHeader | null {
  try {
    const read: Partial<BackupHeader> = JSON.parse(line);
    const { format, madeAt, migrations, secretKeyId, salt } = read;
    if (format !== FORMAT || !madeAt || !migrations || !secretKeyId || !salt) return null;
    return { format, madeAt, migrations, secretKeyId, salt };
  } catch {
    return null;
  }
}

function cutOff(): InvalidBackupError {
  return new InvalidBackupError('its end is missing');
}

function changed(): InvalidBackupError {
  return new InvalidBackupError('its bytes are not those that were written');
}
