import type { z } from 'zod'
import type { readStorage } from '#api/workspace.ts'
import { MAX_QUOTA_BYTES } from '#domain/uploads/quota.ts'
import { t } from '#web/i18n/t.ts'

/** What files take and may take, in bytes. */
export type Storage = z.output<(typeof readStorage)['response']>

/** As disks and file managers count it. */
const GIGABYTE = 1_000_000_000

/** A limit as it is typed: in gigabytes, empty for none. */
export const draftOf = (quotaBytes: number | null): number | '' => (quotaBytes === null ? '' : quotaBytes / GIGABYTE)

/** What was typed, in bytes; null for no limit. */
export const quotaOf = (typed: string | number): number | null =>
  String(typed).trim() === '' ? null : Math.round(Number(typed) * GIGABYTE)

/** Why what was typed is no limit. */
export function quotaError(typed: string | number): string | undefined {
  const bytes = quotaOf(typed)
  if (bytes === null || (bytes >= 0 && bytes <= MAX_QUOTA_BYTES)) return undefined
  return t('Enter a number of gigabytes up to {highestQuotaBytes}, or leave empty for no limit.', {
    highestQuotaBytes: Math.floor(MAX_QUOTA_BYTES / GIGABYTE),
  })
}

/** How much of the limit is used or announced, in per cent; undefined without one. */
export const shareOf = ({ usedBytes, reservedBytes, quotaBytes }: Storage): number | undefined =>
  quotaBytes === null
    ? undefined
    : quotaBytes === 0
      ? 100
      : Math.min(100, ((usedBytes + reservedBytes) / quotaBytes) * 100)
