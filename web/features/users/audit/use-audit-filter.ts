import { useNavigate, useSearch } from '@tanstack/react-router'
import { type AuditFilter, filterIn, printFilter } from './audit-query.ts'

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
