import { Button, NativeSelect } from '@mantine/core'
import { IconPlus } from '#web/ui/icons/frame.ts'
import { t } from '#web/i18n/t.ts'
import type { ComparableFields } from '#web/shared/conditions/comparable-fields.ts'
import { useConditionOptions } from './condition-provider.ts'
import { ConditionRow } from './condition-row.tsx'
import { type GroupDraft, isGroup, type Join, MAX_GROUP_DEPTH } from '#web/shared/conditions/model/condition-tree.ts'
import { ConditionActions } from './condition-actions.tsx'
import type { PathGroup } from '#web/shared/conditions/path-fields.ts'
import type { TreeEdits } from './tree-edits.ts'

type ConditionGroupProps = {
  readonly group: GroupDraft
  readonly groups: readonly PathGroup[]
  readonly comparable: ComparableFields
  readonly depth: number
  readonly edits: TreeEdits
}

/** The lines and groups of one group, and the buttons that add to it. */
export function ConditionGroup({ group, groups, comparable, depth, edits }: ConditionGroupProps) {
  const word = (at: number) => (
    <Joint at={at} join={group.join} onJoin={(join) => edits.join(group.key, join)} isInner={depth > 0} />
  )
  return (
    <div className="condition-group">
      {group.parts.map((part, at) =>
        isGroup(part) ? (
          <div
            key={part.key}
            data-part={part.key}
            className="condition-inner"
            role="group"
            aria-label={
              part.join === 'all' ? t('Group: all conditions must match') : t('Group: any condition must match')
            }
          >
            <div className="condition-joint">{word(at)}</div>
            <ConditionGroup group={part} groups={groups} comparable={comparable} depth={depth + 1} edits={edits} />
          </div>
        ) : (
          <ConditionRow
            key={part.key}
            groups={groups}
            comparable={comparable}
            draft={part}
            lead={word(at)}
            edits={edits}
          />
        ),
      )}
      <div className="condition-adders">
        <Button
          size="xs"
          variant="subtle"
          data-adds-to={group.key}
          leftSection={<IconPlus size={14} stroke={1.75} />}
          onClick={() => edits.addLine(group.key)}
        >
          {t('Add condition')}
        </Button>
        {depth < MAX_GROUP_DEPTH && group.parts.length > 0 && (
          <Button
            size="xs"
            variant="subtle"
            leftSection={<IconPlus size={14} stroke={1.75} />}
            onClick={() => edits.addGroup(group.key)}
          >
            {t('Add group')}
          </Button>
        )}
        {depth > 0 && <ConditionActions part={group.key} name={t('this group')} edits={edits} />}
      </div>
    </div>
  )
}

type JointProps = {
  readonly at: number
  readonly join: Join
  readonly onJoin: (join: Join) => void
  readonly isInner: boolean
}

/** The word before a part: all parts of a group are joined by the same, which the second one chooses. */
function Joint({ at, join, onJoin, isInner }: JointProps) {
  const { lead } = useConditionOptions()
  if (at === 0) return <span className="condition-word">{isInner ? '' : lead}</span>
  if (at > 1) return <span className="condition-word">{join === 'all' ? t('and') : t('or')}</span>
  return (
    <NativeSelect
      size="xs"
      aria-label={t('Combine conditions with')}
      value={join}
      data={[
        { value: 'all', label: t('and') },
        { value: 'any', label: t('or') },
      ]}
      onChange={({ currentTarget }) => onJoin(currentTarget.value === 'any' ? 'any' : 'all')}
    />
  )
}
