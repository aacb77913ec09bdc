import { Button } from '@mantine/core'
import { ALL_COLLAPSED, ALL_EXPANDED } from '#web/kit/grid/group-fold.ts'
import { IconFold } from '#web/kit/icons/icon-fold.ts'
import { t } from '#web/language/t.ts'
import { useCollapsedGroups } from './fold-store.ts'

/** Collapses all groups of a list, or expands them again. */
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
