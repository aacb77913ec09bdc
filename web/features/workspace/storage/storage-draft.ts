import type { z } from 'zod'
import type { readStorage } from '#api/workspace.ts'
import { MAX_QUOTA_BYTES } from '#domain/uploads/quota.ts'
import { t } from '#web/i18n/t.ts'

export type Storage = z.output<(typeof readStorage)['response']>

/** Decimal gigabytes, as file managers show. */
const GIGABYTE = 1_000_000_000

/** In gigabytes; empty for none. */
export const draftOf = (quotaBytes: number | null): number | '' => (quotaBytes === null ? '' : quotaBytes / GIGABYTE)

/** In bytes; null for no limit. */
export const quotaOf = (typed: string | number): number | null =>
  String(typed).trim() === '' ? null : Math.round(Number(typed) * GIGABYTE)

export function quotaError(typed: string | number): string | undefined {
  const bytes = quotaOf(typed)
  if (bytes === null || (bytes >= 0 && bytes <= MAX_QUOTA_BYTES)) return undefined
  return t('Enter a number of gigabytes up to {highestQuotaBytes}, or leave empty for no limit.', {
    highestQuotaBytes: Math.floor(MAX_QUOTA_BYTES / GIGABYTE),
  })
}

/** Percent used or reserved; undefined without a limit. */
export const shareOf = ({ usedBytes, reservedBytes, quotaBytes }: Storage): number | undefined =>
  quotaBytes === null
    ? undefined
    : quotaBytes === 0
      ? 100
      : Math.min(100, ((usedBytes + reservedBytes) / quotaBytes) * 100)
