import { plural } from '#web/i18n/t.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export function daysLeftText(expiresAt: string): string {
  const days = Math.max(0, Math.ceil((Date.parse(expiresAt) - Date.now()) / DAY_MS))
  return plural(days, '{n} day left', '{n} days left')
}
