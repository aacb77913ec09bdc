/** So many recovery codes are made at a time. */
export const RECOVERY_CODE_COUNT = 10

/** Twelve characters of five bits each: 60 bits, and still quick to type from paper. */
const CODE_LENGTH = 12
const GROUP_LENGTH = 4

/** Crockford's base 32 in lower case: none of its characters is mistaken for another. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** So many random bytes go into one code. */
export const RECOVERY_CODE_BYTES = CODE_LENGTH

/** A recovery code as it is shown: `7kq2-m0xd-r9ae`. */
export function recoveryCodeFrom(randomBytes: Uint8Array): string {
  const characters = Array.from(randomBytes.slice(0, CODE_LENGTH), (byte) => ALPHABET.charAt(byte & 31)).join('')
  return characters.replace(new RegExp(`.{${GROUP_LENGTH}}(?=.)`, 'g'), '$&-')
}

/** A typed code in the one form that is compared: capitals, spaces and look-alikes do not matter; undefined: no code. */
export function readRecoveryCode(typed: string): string | undefined {
  const text = typed
    .toLowerCase()
    .replace(/[\s-]+/g, '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1')
  return text.length === CODE_LENGTH && [...text].every((one) => ALPHABET.includes(one)) ? text : undefined
}
