import { Drawer } from '@mantine/core'
import { t } from '#web/i18n/t.ts'
import { ExplainAccess } from './explain-access.tsx'
import type { AccessQuestion } from './access-question.ts'

type ExplainAccessDrawerProps = { readonly given: Partial<AccessQuestion>; readonly onClose: () => void }

export function ExplainAccessDrawer({ given, onClose }: ExplainAccessDrawerProps) {
  return (
    <Drawer opened onClose={onClose} title={t('Check access')} size={520}>
      <ExplainAccess given={given} />
    </Drawer>
  )
}
