import { isDay } from '#domain/shared/time.ts'
import { today } from './date-texts.ts'
import type { ListingProps, ShownDays } from '../view-kind.ts'

/** The day in the address; today if it has none or an invalid one. */
export const shownDay = ({ day }: ShownDays): string => (day !== null && isDay(day) ? day : today())

/** The period or zoom in the address; the view's own if it has none. */
export const shownPeriod = <Period extends string>(known: readonly Period[], { period }: ShownDays, own: Period) =>
  known.find((each) => each === period) ?? own

/** Adds a history entry; the current one keeps what was shown so far, even if it was the view's own period. */
export function changePeriod(
  { days, onDays }: Pick<ListingProps<unknown>, 'days' | 'onDays'>,
  own: string,
  next: Partial<ShownDays>,
  step?: 'replace',
): void {
  onDays(next, step, days.period === null ? { period: own } : undefined)
}
