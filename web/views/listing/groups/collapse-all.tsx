import { Button } from '@mantine/core'
import { ALL_COLLAPSED, ALL_EXPANDED } from '#web/ui/grid/groups/collapsed-groups.ts'
import { IconFold } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import { useCollapsedGroups } from './collapsed-groups.ts'

export function CollapseAll({ collectionId, by }: { readonly collectionId: string; readonly by: string }) {
  const [fold, setFold] = useCollapsedGroups(collectionId, by)
  const isAllOpen = !fold.isCollapsed && fold.except.size === 0
  return (
    <Button
      size="sm"
      variant="subtle"
      color="gray"
      leftSection={<IconFold size={16} stroke={1.5} />}
      onClick={() => setFold(isAllOpen ? ALL_COLLAPSED : ALL_EXPANDED)}
    >
      {isAllOpen ? t('Collapse all') : t('Expand all')}
    </Button>
  )
}
