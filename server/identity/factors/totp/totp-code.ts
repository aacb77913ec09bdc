import { timingSafeEqual } from 'node:crypto'
import { generateSecret, generateSync, generateURI } from 'otplib'
import { readTotpCode, TOTP, totpStepsAt } from '#domain/sessions/second-factors.ts'

const ISSUER = 'Dossier'

const WORDS = { algorithm: 'sha1', digits: TOTP.digits, period: TOTP.periodSeconds } as const

/** A new secret of 160 bits, as people type it. */
export const newTotpSecret = (): string => generateSecret()

/** What an authenticator app reads from the picture. */
export const totpUri = (secret: string, account: string): string =>
  generateURI({ ...WORDS, issuer: ISSUER, label: account, secret })

const codeOf = (secret: string, step: number): string =>
  generateSync({ ...WORDS, secret, epoch: step * TOTP.periodSeconds })

/** The time step whose code was typed; undefined when it is no code of now. Always compares with every step. */
export function stepOfCode(secret: string, typed: string, now: Date): number | undefined {
  const code = readTotpCode(typed)
  const given = Buffer.from(code ?? '------')
  const matching = totpStepsAt(now).filter((step) => timingSafeEqual(given, Buffer.from(codeOf(secret, step))))
  return code === undefined ? undefined : matching[0]
}
