import { useNavigate, useSearch } from '@tanstack/react-router'
import { type AuditFilter, filterIn, printFilter } from './audit-query.ts'

type Parts = Parameters<typeof filterIn>[0]

/** What is looked for in the audit log besides words, kept in the address: a link leads to the same entries. */
export function useAuditFilter(): readonly [AuditFilter, (part: Partial<AuditFilter>) => void] {
  const filter = filterIn(useSearch({ strict: false }))
  const navigate = useNavigate()
  const change = (part: Partial<AuditFilter>) =>
    void navigate({
      to: '/settings/audit',
      // From what was asked for last, which may not be drawn yet.
      search: (parts: Parts) => printFilter({ ...filterIn(parts), ...part }),
      replace: true,
      resetScroll: false,
    })
  return [filter, change]
}
