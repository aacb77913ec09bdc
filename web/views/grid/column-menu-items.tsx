import { Menu } from '@mantine/core'
import type { ColumnCommands } from '#web/ui/grid/editing/grid-editing.ts'
import { IconEyeOff, IconLayoutList } from '#web/ui/icons/general.ts'
import {
  IconArrowAutofitWidth,
  IconArrowLeft,
  IconArrowRight,
  IconPin,
  IconSortAscending,
  IconSortDescending,
  IconSum,
  IconTableColumn,
} from '#web/ui/icons/later.ts'
import { t } from '#web/i18n/t.ts'
import type { ColumnMenuProps } from './column-menu.tsx'
import type { ListSettingsProps } from '#web/views/listing/list-settings.ts'
import { SummaryMenuItems } from '#web/views/listing/summaries/summary-menu-items.tsx'
import { summaryOf, subjectOf, withSummary } from '#web/views/listing/summaries/summaries.ts'

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

export function ColumnMenuItems({ column, actions, commands }: ColumnMenuProps) {
  const { id, isTitle = false } = column
  return (
    <>
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

/** Position and width of the column, without drag and drop. */
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
