import { LOCALE } from '#web/i18n/locale.ts'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Factor between byte units, which are decimal, as in file managers. */
const STEP = 1000

export function formatBytes(bytes: number, locale: string = LOCALE): string {
  const size = Math.max(0, bytes)
  const power = Math.min(UNITS.length - 1, size < STEP ? 0 : Math.floor(Math.log10(size) / 3))
  const value = size / STEP ** power
  // 999.96 kB would be rounded to 1,000 kB, so it is shown in MB.
  const isRoundedUp = Math.round(value) >= STEP && power < UNITS.length - 1
  const shown = isRoundedUp ? value / STEP : value

  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[isRoundedUp ? power + 1 : power] ?? 'byte',
    // The short format of bytes would be “812 byte”.
    unitDisplay: power + Number(isRoundedUp) === 0 ? 'long' : 'short',
    maximumFractionDigits: shown < 10 && power + Number(isRoundedUp) > 0 ? 1 : 0,
  }).format(shown)
}

export const formatPercent = (share: number): string =>
  new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 0 }).format(Math.floor(share * 100) / 100)
