import { timingSafeEqual } from 'node:crypto'
import { generateSecret, generateSync, generateURI } from 'otplib'
import { readTotpCode, TOTP, totpStepsAt } from '#domain/sessions/second-factors.ts'

const ISSUER = 'Dossier'

const WORDS = { algorithm: 'sha1', digits: TOTP.digits, period: TOTP.periodSeconds } as const

export const newTotpSecret = (): string => generateSecret()

export const totpUri = (secret: string, account: string): string =>
  generateURI({ ...WORDS, issuer: ISSUER, label: account, secret })

const codeOf = (secret: string, step: number): string =>
  generateSync({ ...WORDS, secret, epoch: step * TOTP.periodSeconds })

/** The time step of a code; undefined when it is not currently valid. Compares with every step in constant time. */
export function stepOfCode(secret: string, typed: string, now: Date): number | undefined {
  const code = readTotpCode(typed)
  const given = Buffer.from(code ?? '------')
  const matching = totpStepsAt(now).filter((step) => timingSafeEqual(given, Buffer.from(codeOf(secret, step))))
  return code === undefined ? undefined : matching[0]
}
