import { Drawer } from '@mantine/core'
import { t } from '#web/language/t.ts'
import { AskRights } from './ask-rights.tsx'
import type { Asked } from './asked.ts'

type AskRightsDrawerProps = { readonly given: Partial<Asked>; readonly onClose: () => void }

/** The question whether somebody may, beside the page it was asked on. */
export function AskRightsDrawer({ given, onClose }: AskRightsDrawerProps) {
  return (
    <Drawer opened onClose={onClose} title={t('Check access')} size={520}>
      <AskRights given={given} />
    </Drawer>
  )
}
