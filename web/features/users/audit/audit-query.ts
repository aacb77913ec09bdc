import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { exportAudit, listAudit } from '#api/audit.ts'
import { AUDIT_GROUPS, type AuditGroup } from '#domain/audit/audit-kind.ts'
import { call } from '#web/data/api/call.ts'
import { NEWEST_FIRST, queryKeys } from '#web/data/queries/query-client.ts'
import { t } from '#web/i18n/t.ts'
import { saveBlob } from '#web/ui/browser/download.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'

/** An empty string means no filter. Dates are in the reader's time zone. */
export type AuditFilter = {
  readonly text: string
  readonly person: string
  readonly group: AuditGroup | ''
  readonly collection: string
  readonly from: string
  readonly until: string
}

export const NO_AUDIT_FILTER: AuditFilter = { text: '', person: '', group: '', collection: '', from: '', until: '' }

const GROUP_WORDS: { readonly [Group in AuditGroup]: string } = {
  'signing-in': t('Signing in and out'),
  account: t('Passwords, second factors and tokens'),
  people: t('People and their roles'),
  access: t('Roles, policies and “View as”'),
  collections: t('Collections and fields'),
  export: t('Exports'),
  workspace: t('Workspace'),
}

export const GROUP_OPTIONS = AUDIT_GROUPS.map((value) => ({ value, label: GROUP_WORDS[value] }))

export const groupOf = (value: string | null): AuditGroup | '' => AUDIT_GROUPS.find((group) => group === value) ?? ''

const DAY = /^\d{4}-\d\d-\d\d$/

const dayOf = (text: string | undefined): string =>
  text !== undefined && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''

/** The search text isn't stored in the URL. */
export const filterIn = (parts: { readonly [name: string]: string | undefined }): AuditFilter => ({
  text: '',
  person: parts['person'] ?? '',
  group: groupOf(parts['group'] ?? null),
  collection: parts['collection'] ?? '',
  from: dayOf(parts['from']),
  until: dayOf(parts['until']),
})

export const printFilter = (filter: AuditFilter): { readonly [name: string]: string } =>
  Object.fromEntries(Object.entries({ ...filter, text: '' }).filter(([, value]) => value !== ''))

/** Includes the last day. */
export function queryOf({ text, person, group, collection, from, until }: AuditFilter) {
  return {
    ...(text.trim() !== '' && { text: text.trim() }),
    ...(person !== '' && { person }),
    ...(group !== '' && { group }),
    ...(collection !== '' && { collection }),
    ...(from !== '' && { from: beginOf(from, 0) }),
    ...(until !== '' && { until: beginOf(until, 1) }),
  }
}

function beginOf(day: string, daysLater: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + daysLater).toISOString()
}

export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: [...queryKeys.audit, filter] as const,
    queryFn: ({ pageParam, signal }) =>
      call(listAudit, { query: { ...queryOf(filter), ...(pageParam !== null && { before: pageParam }) }, signal }),
    ...NEWEST_FIRST,
  })

type Parts = Parameters<typeof filterIn>[0]

/** Stored in the URL, so that links lead to the same entries. */
export function useAuditFilter(): readonly [AuditFilter, (part: Partial<AuditFilter>) => void] {
  const filter = filterIn(useSearch({ strict: false }))
  const navigate = useNavigate()
  const change = (part: Partial<AuditFilter>) =>
    void navigate({
      to: '/settings/audit',
      // Based on the last requested filter, which may not be rendered yet.
      search: (parts: Parts) => printFilter({ ...filterIn(parts), ...part }),
      replace: true,
      resetScroll: false,
    })
  return [filter, change]
}

export function useAuditExport() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (filter: AuditFilter) => call(exportAudit, { query: queryOf(filter) }),
    onSuccess(file) {
      saveBlob(file, 'audit-log.csv')
      // The export itself is recorded in the audit log.
      void queryClient.invalidateQueries({ queryKey: queryKeys.audit })
    },
    onError: notifyFailure(),
  })
}
