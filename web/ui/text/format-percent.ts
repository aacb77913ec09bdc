import { LOCALE } from '#web/i18n/locale.ts'
/** `12%`, as people where the reader is write it; never more than there is. */
export const formatPercent = (share: number): string =>
  new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 0 }).format(Math.floor(share * 100) / 100)
