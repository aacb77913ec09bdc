import { useNavigate, useSearch } from '@tanstack/react-router'
import { type AuditFilter, filterIn, printFilter, queryOf } from './audit-query.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { exportAudit } from '#api/audit.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { saveBlob } from '#web/ui/browser/download.ts'
import { notifyFailed } from '#web/features/users/users-queries.ts'

type Parts = Parameters<typeof filterIn>[0]

/** Kept in the URL, so that links lead to the same entries. */
export function useAuditFilter(): readonly [AuditFilter, (part: Partial<AuditFilter>) => void] {
  const filter = filterIn(useSearch({ strict: false }))
  const navigate = useNavigate()
  const change = (part: Partial<AuditFilter>) =>
    void navigate({
      to: '/settings/audit',
      // Builds on the last request, which may not be rendered yet.
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
      // The export itself is audited.
      void queryClient.invalidateQueries({ queryKey: queryKeys.audit })
    },
    onError: notifyFailed,
  })
}
