import { LOCALE } from '#web/i18n/locale.ts'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** From this many bytes on, the next unit says it shorter. File managers and disks count in thousands, and so do we. */
const STEP = 1000

/** A size as people write it: `24 MB`, `1.5 GB`, `812 bytes`. One decimal below ten, none above. */
export function formatBytes(bytes: number, locale: string = LOCALE): string {
  const size = Math.max(0, bytes)
  const power = Math.min(UNITS.length - 1, size < STEP ? 0 : Math.floor(Math.log10(size) / 3))
  const value = size / STEP ** power
  // 999.96 kB would be written as 1,000 kB: it is a megabyte.
  const isRoundedUp = Math.round(value) >= STEP && power < UNITS.length - 1
  const shown = isRoundedUp ? value / STEP : value

  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[isRoundedUp ? power + 1 : power] ?? 'byte',
    // In short it is “812 byte”.
    unitDisplay: power + Number(isRoundedUp) === 0 ? 'long' : 'short',
    maximumFractionDigits: shown < 10 && power + Number(isRoundedUp) > 0 ? 1 : 0,
  }).format(shown)
}

/** `12%`, as people where the reader is write it; never more than there is. */
export const formatPercent = (share: number): string =>
  new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 0 }).format(Math.floor(share * 100) / 100)
