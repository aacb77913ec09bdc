import { ActionIcon, Menu } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconCopy, IconX } from '#web/ui/icons/general.ts'
import { IconDots } from '#web/ui/icons/frame.ts'
import { t } from '#web/i18n/t.ts'
import type { TreeEdits } from './tree-edits.ts'

type ConditionActionsProps = {
  /** The key of the line or group. */
  readonly part: number
  /** What it is called: “the condition on Status”. */
  readonly name: string
  readonly edits: TreeEdits
}

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

/** What can be done with a line or a group as a whole. */
export function ConditionActions({ part, name, edits }: ConditionActionsProps) {
  return (
    <div className="condition-actions">
      <Menu position="bottom-end" width={220} withinPortal>
        <Menu.Target>
          <ActionIcon size="sm" data-control="more" aria-label={t('More actions for {name}', { name })}>
            <IconDots size={14} stroke={1.75} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconArrowUp {...icon} />}
            rightSection={<small>{t('Ctrl+Shift+↑')}</small>}
            disabled={!edits.canMove(part, -1)}
            onClick={() => edits.move(part, -1)}
          >
            {t('Move up')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowDown {...icon} />}
            rightSection={<small>{t('Ctrl+Shift+↓')}</small>}
            disabled={!edits.canMove(part, 1)}
            onClick={() => edits.move(part, 1)}
          >
            {t('Move down')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconCopy {...icon} />}
            rightSection={<small>{t('Ctrl+Shift+D')}</small>}
            onClick={() => edits.duplicate(part)}
          >
            {t('Duplicate')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ActionIcon
        size="sm"
        data-control="remove"
        aria-label={t('Remove {name}', { name })}
        onClick={() => edits.remove(part)}
      >
        <IconX size={14} stroke={1.75} />
      </ActionIcon>
    </div>
  )
}
