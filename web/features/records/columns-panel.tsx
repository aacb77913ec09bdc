import { Button, Popover } from '@mantine/core'
import { useState } from 'react'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { IconAdjustmentsHorizontal } from '#web/kit/icons/icon-adjustments-horizontal.ts'
import { later, useLater } from '#web/kit/later.ts'
import type { ListLook } from './grid-layout.ts'
import './records.css'

const choices = later(() => import('./columns-choices.tsx'))

/** A list, how it is shown, and the way to change that. */
export type ColumnsPanelProps = {
  readonly collection: KnownCollection
  readonly look: ListLook
  readonly onLook: (look: Partial<ListLook>) => void
}

/** How the list is shown: its columns and their order, the filters below them, the height of a line. */
export function ColumnsPanel(props: ColumnsPanelProps) {
  const [isOpen, setOpen] = useState(false)
  const { ColumnsChoices } = useLater(choices, isOpen) ?? {}
  return (
    // It opens with what it offers, so that the keyboard finds its way into it.
    <Popover
      position="bottom-end"
      trapFocus
      returnFocus
      shadow="md"
      opened={isOpen && ColumnsChoices !== undefined}
      onChange={setOpen}
    >
      <Popover.Target>
        <Button
          size="sm"
          variant="subtle"
          color="gray"
          leftSection={<IconAdjustmentsHorizontal size={16} stroke={1.5} />}
          onClick={() => setOpen(!isOpen)}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown className="columns-panel" aria-label="Columns">
        {ColumnsChoices && <ColumnsChoices {...props} />}
      </Popover.Dropdown>
    </Popover>
  )
}
