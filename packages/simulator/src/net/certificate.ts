import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

interface SelfSigned {
  readonly key: string;
  readonly certificate: string;
}

const VALID = { from: 2020, to: 2049 };

/**
 * Makes a self-signed P-256 certificate for a host name and 127.0.0.1, so that the repository contains no private key.
 * `valid` is two years from 1950 to 2049; default 2020 to 2049.
 */
export function selfSigned(
  hostName: string,
  valid: { readonly from: number; readonly to: number } = VALID,
): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(objectId(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
  const commonName = objectId(0x55, 0x04, 0x03);
  const name = sequence(tagged(0x31, sequence(commonName, tagged(0x0c, Buffer.from(hostName)))));
  const subjectAlternativeName = objectId(0x55, 0x1d, 0x11);
  const basicConstraints = objectId(0x55, 0x1d, 0x13);
  const alternatives = [tagged(0x82, Buffer.from(hostName))];
  if (hostName === 'localhost') alternatives.push(tagged(0x87, Buffer.from([127, 0, 0, 1])));
  const extensions = sequence(
    sequence(subjectAlternativeName, tagged(0x04, sequence(...alternatives))),
    sequence(basicConstraints, tagged(0x04, sequence(tagged(0x01, Buffer.from([0xff]))))),
  );
  const serial = randomBytes(12);
  serial[0] = 0x42;
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, serial),
    ecdsaWithSha256,
    name,
    sequence(utcTime(`${valid.from % 100}0101000000Z`), utcTime(`${valid.to % 100}1231235959Z`)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, extensions),
  );
  const signature = sign('sha256', body, privateKey);
  const certificate = sequence(body, ecdsaWithSha256, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = (certificate.toString('base64').match(/.{1,64}/g) ?? []).join('\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

/** DER: tag, length, content. */
function tagged(tag: number, content: Buffer): Buffer {
  const length = content.length;
  const header =
    length < 128 ? [tag, length] : length < 256 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(header), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function objectId(...bytes: number[]): Buffer {
  return tagged(0x06, Buffer.from(bytes));
}

function utcTime(text: string): Buffer {
  return tagged(0x17, Buffer.from(text));
}
