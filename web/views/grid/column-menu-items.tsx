import { Menu } from '@mantine/core'
import type { Field } from '#domain/fields/field.ts'
import type { ColumnCommands } from '#web/ui/grid/editing/grid-editing.ts'
import { IconEyeOff, IconLayoutList, IconTrash } from '#web/ui/icons/general.ts'
import {
  IconArrowAutofitWidth,
  IconArrowLeft,
  IconArrowRight,
  IconColumnInsertLeft,
  IconColumnInsertRight,
  IconCopy,
  IconPencil,
  IconPin,
  IconSortAscending,
  IconSortDescending,
  IconSum,
  IconTableColumn,
} from '#web/ui/icons/later.ts'
import { t } from '#web/i18n/t.ts'
import { MenuItem } from '#web/ui/popup/menu-item.tsx'
import type { ColumnMenuProps, FieldActions } from './column-menu.tsx'
import type { ListSettingsProps } from '#web/views/listing/list-settings.ts'
import { SummaryMenuItems } from '#web/views/listing/summaries/summary-menu-items.tsx'
import { summaryOf, subjectOf, withSummary } from '#web/views/listing/summaries/summaries.ts'

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

export function ColumnMenuItems({ column, actions, commands }: ColumnMenuProps) {
  const { id, description, isTitle = false } = column
  const { fields } = actions
  const field = fields && actions.list.collection.fields.find((each) => each.id === id)
  return (
    <>
      {description !== undefined && <Menu.Label className="menu-description">{description}</Menu.Label>}
      {field && <FieldItems field={field} isTitle={isTitle} actions={fields} />}
      <Menu.Item leftSection={<IconSortAscending {...icon} />} onClick={() => actions.sort(id, 'asc')}>
        {t('Sort ascending')}
      </Menu.Item>
      <Menu.Item leftSection={<IconSortDescending {...icon} />} onClick={() => actions.sort(id, 'desc')}>
        {t('Sort descending')}
      </Menu.Item>
      {actions.canGroup(id) && (
        <Menu.Item leftSection={<IconLayoutList {...icon} />} onClick={() => actions.group(id)}>
          {t('Group by this field')}
        </Menu.Item>
      )}
      {!isTitle && (
        <Menu.Item leftSection={<IconEyeOff {...icon} />} onClick={() => actions.hide(id)}>
          {t('Hide')}
        </Menu.Item>
      )}
      <SummaryMenu columnId={id} list={actions.list} />
      <Menu.Divider />
      <PositionItems commands={commands} />
      {field && (
        <>
          <Menu.Divider />
          <MenuItem
            icon={IconTrash}
            label={t('Delete field')}
            color="danger"
            onClick={() => fields.remove(field, actions.focusGrid)}
          />
        </>
      )}
    </>
  )
}

type FieldItemsProps = { readonly field: Field; readonly isTitle: boolean; readonly actions: FieldActions }

function FieldItems({ field, isTitle, actions }: FieldItemsProps) {
  const [left, right] = document.dir === 'rtl' ? (['after', 'before'] as const) : (['before', 'after'] as const)
  // No column can be inserted before the title, which is always first.
  const insert = (side: 'before' | 'after') => ({
    disabled: isTitle && side === 'before',
    onClick: () => actions.insert(field, side),
  })
  return (
    <>
      <MenuItem icon={IconPencil} label={t('Edit field')} onClick={() => actions.edit(field)} />
      <MenuItem icon={IconColumnInsertLeft} label={t('Insert left')} {...insert(left)} />
      <MenuItem icon={IconColumnInsertRight} label={t('Insert right')} {...insert(right)} />
      <MenuItem icon={IconCopy} label={t('Duplicate field')} onClick={() => actions.duplicate(field)} />
      <Menu.Divider />
    </>
  )
}

function SummaryMenu({ columnId, list }: { readonly columnId: string; readonly list: ListSettingsProps }) {
  const { collection, look, onLook } = list
  const subject = subjectOf(collection, columnId)
  if (!subject) return null
  return (
    <Menu.Sub>
      <Menu.Sub.Target>
        <Menu.Sub.Item leftSection={<IconSum {...icon} />}>{t('Summary')}</Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown>
        <SummaryMenuItems
          subject={subject}
          summary={summaryOf(subject, look.footers[columnId])}
          onPick={(summary) => onLook({ footers: withSummary(look.footers, columnId, summary) })}
        />
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  )
}

/** Menu items for the column's position and width, as alternatives to drag and drop. */
function PositionItems({ commands }: { readonly commands: ColumnCommands }) {
  const isRtl = document.dir === 'rtl'
  const [back, forth] = isRtl ? ([1, -1] as const) : ([-1, 1] as const)
  return (
    <>
      <Menu.Item
        leftSection={<IconArrowLeft {...icon} />}
        disabled={!commands.canMove(back)}
        onClick={() => commands.move(back)}
      >
        {t('Move left')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconArrowRight {...icon} />}
        disabled={!commands.canMove(forth)}
        onClick={() => commands.move(forth)}
      >
        {t('Move right')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconPin {...icon} />}
        onClick={commands.isFrozenEdge ? commands.unfreeze : commands.freezeUpTo}
      >
        {commands.isFrozenEdge ? t('Unfreeze columns') : t('Freeze columns up to here')}
      </Menu.Item>
      <Menu.Item leftSection={<IconArrowAutofitWidth {...icon} />} onClick={commands.fitWidth}>
        {t('Fit width to content')}
      </Menu.Item>
      <Menu.Item leftSection={<IconTableColumn {...icon} />} onClick={commands.selectCells}>
        {t('Select cells')}
      </Menu.Item>
    </>
  )
}
