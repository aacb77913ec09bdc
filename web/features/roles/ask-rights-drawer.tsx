import { Drawer } from '@mantine/core'
import { t } from '#web/language/t.ts'
import { ExplainAccess } from './ask-rights.tsx'
import type { AccessQuestion } from './asked.ts'

type ExplainAccessDrawerProps = { readonly given: Partial<AccessQuestion>; readonly onClose: () => void }

/** The question whether somebody may, beside the page it was asked on. */
export function ExplainAccessDrawer({ given, onClose }: ExplainAccessDrawerProps) {
  return (
    <Drawer opened onClose={onClose} title={t('Check access')} size={520}>
      <ExplainAccess given={given} />
    </Drawer>
  )
}
