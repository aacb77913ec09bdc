import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { AuditFilterBar } from '#web/features/users/audit/audit-filter-bar.tsx'
import { AuditResults } from '#web/features/users/audit/audit-results.tsx'
import {
  type AuditFilter,
  NO_AUDIT_FILTER,
  useAuditExport,
  useAuditFilter,
} from '#web/features/users/audit/audit-query.ts'
import { IconDownload } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import { PageFrame, SettingsNav } from '#web/pages/frame/page-frame.tsx'

const DEBOUNCE_MS = 250

export function AuditPage() {
  const [inAddress, change] = useAuditFilter()
  const [text, setText] = useState('')
  const [words] = useDebouncedValue(text, DEBOUNCE_MS)
  const exporting = useAuditExport()
  const filter = { ...inAddress, text }
  const look = ({ text: typed, ...chosen }: Partial<AuditFilter>) => {
    if (typed !== undefined) setText(typed)
    if (Object.keys(chosen).length > 0) change(chosen)
  }
  return (
    <PageFrame
      title={t('Audit log')}
      lead={t('Sign-ins, exports, and changes to accounts, access and collections. Entries can’t be edited.')}
      width="middle"
      actions={
        <Button
          leftSection={<IconDownload size={16} stroke={1.5} />}
          loading={exporting.isPending}
          onClick={() => exporting.mutate(filter)}
        >
          {t('Export as CSV')}
        </Button>
      }
    >
      <SettingsNav />
      <AuditFilterBar filter={filter} onFilter={look} />
      <AuditResults requested={{ ...inAddress, text: words }} onShowAll={() => look(NO_AUDIT_FILTER)} />
    </PageFrame>
  )
}
