import { createHash, randomBytes } from 'node:crypto'

/** A new secret of so many random bytes, in letters that may stand in an address. */
export const randomToken = (bytes: number): string => randomBytes(bytes).toString('base64url')

/**
 * What is stored of a secret that is only compared. A plain SHA-256 is enough for 256 random bits: there is nothing to
 * guess, and whoever reads the database cannot go back.
 */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')
