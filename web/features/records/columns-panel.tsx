import { Button } from '@mantine/core'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { IconAdjustmentsHorizontal } from '#web/kit/icons/icon-adjustments-horizontal.ts'
import { later, useLater } from '#web/kit/later.ts'
import { PanelButton } from '#web/kit/popup/panel-button.tsx'
import { usePopup } from '#web/kit/popup/use-popup.ts'
import type { ListLook } from './grid-layout.ts'
import './records.css'

const choices = later(() => import('./columns-choices.tsx'))
/** Few lists are grouped. */
const folding = later(() => import('./groups/fold-all.tsx'))

/** A list, how it is shown, and the way to change that. */
export type ColumnsPanelProps = {
  readonly collection: KnownCollection
  readonly look: ListLook
  readonly onLook: (look: Partial<ListLook>) => void
}

/** How the list is shown: its columns and their order, the filters below them, the height of a line. */
export function ColumnsPanel(props: ColumnsPanelProps) {
  const popup = usePopup('dialog')
  const { ColumnsChoices } = useLater(choices, popup.isOpen) ?? {}
  const { FoldAll } = useLater(folding, false) ?? {}
  return (
    <>
      {FoldAll && <FoldAll collectionId={props.collection.id} />}
      <PanelButton
        popup={popup}
        position="bottom-end"
        label="Columns"
        className="columns-panel"
        button={(button) => (
          <Button
            {...button}
            size="sm"
            variant="subtle"
            color="gray"
            leftSection={<IconAdjustmentsHorizontal size={16} stroke={1.5} />}
          >
            Columns
          </Button>
        )}
      >
        {ColumnsChoices && <ColumnsChoices {...props} />}
      </PanelButton>
    </>
  )
}
