import { createHash, randomBytes } from 'node:crypto'

export const randomToken = (bytes: number): string => randomBytes(bytes).toString('base64url')

/** The stored hash of a secret that is only compared. SHA-256 suffices, because 256 random bits can't be guessed. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')
