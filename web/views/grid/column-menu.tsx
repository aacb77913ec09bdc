import { ActionIcon } from '@mantine/core'
import type { Field } from '#domain/fields/field.ts'
import type { GridColumn } from '#web/ui/grid/columns/grid-column.ts'
import type { ColumnCommands } from '#web/ui/grid/editing/grid-editing.ts'
import { IconChevronDown } from '#web/ui/icons/frame.ts'
import { lazyModule } from '#web/ui/loading/lazy-module.tsx'
import { MenuButton } from '#web/ui/popup/menu-button.tsx'
import { t } from '#web/i18n/t.ts'
import type { Side } from './column-fields.ts'
import type { ListSettingsProps } from '#web/views/listing/list-settings.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'

const items = lazyModule(() => import('./column-menu-items.tsx'))

/** Available only to users who can change the collection's fields. */
export type FieldActions = {
  readonly add: () => void
  readonly edit: (field: Field) => void
  readonly insert: (field: Field, side: Side) => void
  readonly duplicate: (field: Field) => void
  /** `onRemoved` moves focus away from the removed header. */
  readonly remove: (field: Field, onRemoved: () => void) => void
  readonly rename: (fieldId: string, label: string) => Promise<void>
}

export type ColumnMenuActions = {
  readonly fields: FieldActions | undefined
  readonly sort: (columnId: string, direction: 'asc' | 'desc') => void
  readonly hide: (columnId: string) => void
  readonly focusGrid: () => void
  readonly group: (columnId: string) => void
  readonly canGroup: (columnId: string) => boolean
  readonly list: ListSettingsProps
}

export type ColumnMenuProps = {
  readonly column: GridColumn<RecordRow>
  readonly actions: ColumnMenuActions
  readonly commands: ColumnCommands
}

export function ColumnMenu(props: ColumnMenuProps) {
  return (
    <MenuButton
      part={items}
      widthPx={240}
      items={({ ColumnMenuItems }) => <ColumnMenuItems {...props} />}
      button={(button) => (
        <ActionIcon
          {...button}
          size={24}
          className="column-menu"
          tabIndex={-1}
          aria-label={t('Column {header}', { header: props.column.header })}
        >
          <IconChevronDown size={14} stroke={1.75} />
        </ActionIcon>
      )}
    />
  )
}
