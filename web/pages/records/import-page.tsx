import { useNavigate, useSearch } from '@tanstack/react-router'
import { ImportWizard } from '#web/features/import/import-wizard.tsx'
import { t } from '#web/i18n/t.ts'
import { PageFrame } from '#web/pages/frame/page-frame.tsx'

/** Where a CSV becomes records. */
export function ImportPage() {
  const { import: id, into } = useSearch({ strict: false })
  const navigate = useNavigate()
  return (
    <PageFrame
      title={t('Import a CSV')}
      lead={t('Nothing is stored before you have seen what is in the file.')}
      width="wide"
    >
      <ImportWizard
        id={id}
        into={into}
        onId={(next) => void navigate({ to: '/import', search: { into, import: next }, replace: next !== undefined })}
      />
    </PageFrame>
  )
}
