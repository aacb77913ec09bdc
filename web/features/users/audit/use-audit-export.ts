import { useMutation, useQueryClient } from '@tanstack/react-query'
import { exportAudit } from '#api/audit.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { saveBlob } from '#web/ui/browser/download.ts'
import { queryOf, type AuditFilter } from './audit-query.ts'
import { notifyFailed } from '#web/features/users/users-queries.ts'

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
