/** How authenticator apps count when nothing else is said (RFC 6238): six digits, a new code every 30 seconds. */
export const TOTP = { digits: 6, periodSeconds: 30 } as const

/** The number of the time step an instant lies in. */
export const totpStepAt = (now: Date): number => Math.floor(now.getTime() / 1000 / TOTP.periodSeconds)

/** The steps whose codes are taken now: this one, and the one before for whoever types slowly. */
export function totpStepsAt(now: Date): readonly number[] {
  const current = totpStepAt(now)
  return [current, current - 1]
}

/** The six digits somebody typed, with whatever spaces their app shows; undefined when it is no code. */
export function readTotpCode(typed: string): string | undefined {
  const digits = typed.replace(/[\s-]+/g, '')
  return /^\d{6}$/.test(digits) ? digits : undefined
}
