import { useNavigate, useSearch } from '@tanstack/react-router'
import { ImportWizard } from '#web/features/import/import-wizard.tsx'
import { t } from '#web/i18n/t.ts'
import { PageFrame } from '#web/pages/frame/page-frame.tsx'

export function ImportPage() {
  const { import: id, into } = useSearch({ strict: false })
  const navigate = useNavigate()
  return (
    <PageFrame title={t('Import CSV')} lead={t('Preview the file before anything is saved.')} width="wide">
      <ImportWizard
        id={id}
        into={into}
        onId={(next) => void navigate({ to: '/import', search: { into, import: next }, replace: next !== undefined })}
      />
    </PageFrame>
  )
}
