import { Button } from '@mantine/core'
import { ALL_COLLAPSED, ALL_EXPANDED } from '#web/kit/grid/group-fold.ts'
import { IconFold } from '#web/kit/icons/icon-fold.ts'
import { t } from '#web/language/t.ts'
import { useFold, useGroupedBy } from './fold-store.ts'

/** Collapses all groups of a list, or expands them again; nothing where it is not grouped. */
export function FoldAll({ collectionId }: { readonly collectionId: string }) {
  const by = useGroupedBy(collectionId)
  const [fold, setFold] = useFold(collectionId, by ?? '')
  if (by === undefined) return null
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
