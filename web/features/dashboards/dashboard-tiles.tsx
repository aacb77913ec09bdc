import { Menu } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import type { DashboardBody, DashboardItemBody } from '#api/dashboards.ts'
import { ITEM_HEIGHTS, ITEM_WIDTHS } from '#domain/dashboards/dashboard.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { t } from '#web/i18n/t.ts'
import { typedCollection } from '#web/shared/fields/typed-collection.ts'
import { type Reorder, useReorder } from '#web/shared/reorder/use-reorder.ts'
import { IconGripVertical } from '#web/ui/icons/frame.ts'
import { IconEyeOff, IconTrash } from '#web/ui/icons/general.ts'
import { IconArrowLeft, IconArrowRight } from '#web/ui/icons/later.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { MenuItem } from '#web/ui/popup/menu-item.tsx'
import { ChartFigure } from '#web/views/chart/chart-figure.tsx'
import { settingsOfView } from '#web/views/listing/list-settings.ts'
import { dashboardQuery, type ItemChange, useChangeDashboard } from './dashboard-queries.ts'
import { DashboardList, TileFrame } from './dashboard-list.tsx'
import './dashboards.css'

type DashboardTilesProps = { readonly dashboard: DashboardBody }

const nameOf = ({ view }: DashboardItemBody): string => view?.name ?? t('Not available')

/** Charts and lists in rows of 12 columns; on a phone, one below the other. */
export function DashboardTiles({ dashboard }: DashboardTilesProps) {
  const { items, mayChange } = dashboard
  const queryClient = useQueryClient()
  const { mutate } = useChangeDashboard(dashboard.id)
  const change = (next: readonly ItemChange[]) => mutate({ items: next })
  const reorder = useReorder({ items, keyOf: ({ id }) => id, nameOf, onReorder: change })
  const remove = (item: DashboardItemBody) => {
    const left = items.filter(({ id }) => id !== item.id)
    change(left)
    const { view, width, height } = item
    if (!view) return
    const restore = () => {
      // Other items may have been changed since.
      const now: readonly ItemChange[] = queryClient.getQueryData(dashboardQuery(dashboard.id).queryKey)?.items ?? left
      change(now.toSpliced(items.indexOf(item), 0, { view: view.id, width, height }))
    }
    notify.success(t('“{name}” removed from the dashboard', { name: view.name }), {
      action: { label: t('Undo'), run: restore },
    })
  }
  return (
    <>
      <ul className="dashboard" ref={reorder.listRef}>
        {reorder.order.map((item) => (
          <li
            key={item.id}
            className="dashboard-tile"
            data-width={item.width}
            data-height={item.height}
            {...reorder.itemProps(item)}
          >
            <Tile
              item={item}
              isShared={dashboard.isShared}
              handle={
                mayChange && items.length > 1 ? (
                  <button {...reorder.handleProps(item)}>
                    <IconGripVertical size={16} stroke={1.5} aria-hidden />
                  </button>
                ) : null
              }
              menuItems={
                mayChange && (
                  <TileMenuItems
                    item={item}
                    items={items}
                    reorder={reorder}
                    onSize={(size) => change(items.map((each) => (each.id === item.id ? { ...each, ...size } : each)))}
                    onRemove={() => remove(item)}
                  />
                )
              }
            />
          </li>
        ))}
      </ul>
      <span role="status" className="visually-hidden">
        {reorder.announcement}
      </span>
    </>
  )
}

type TileProps = {
  readonly item: DashboardItemBody
  readonly isShared: boolean
  readonly handle: ReactNode
  readonly menuItems: ReactNode
}

function Tile({ item, isShared, handle, menuItems }: TileProps) {
  const { data: collections } = useQuery(collectionsQuery)
  const body = collections?.find(({ id }) => id === item.collection)
  const collection = useMemo(() => body && typedCollection(body), [body])
  const { view } = item
  const look = useMemo(
    () => (collection && view ? settingsOfView(collection, view).look : undefined),
    [collection, view],
  )
  if (!view || (collections && !collection)) return <UnavailableTile handle={handle} menuItems={menuItems} />
  if (!collection || !look) return <div className="chart-skeleton" role="status" aria-busy aria-label={t('Loading')} />
  const title = (
    <>
      <h2 className="dashboard-title">
        {handle}
        <Link to="/collections/$collection" params={{ collection: collection.name }} search={{ view: view.id }}>
          {view.name}
        </Link>
      </h2>
      {isShared && !view.isShared && (
        <span className="chart-caption">{t('Only you can see this item, because its view is private.')}</span>
      )}
    </>
  )
  if (!view.isUsable) return <UnavailableTile handle={handle} menuItems={menuItems} />
  const { display } = look
  if (display.kind !== 'chart')
    return (
      <DashboardList
        collection={collection}
        view={view}
        look={look}
        height={item.height}
        title={title}
        menuItems={menuItems}
      />
    )
  const { filter, search } = view.query
  return (
    <ChartFigure
      collection={collection}
      options={display.options}
      listing={{ filter, search }}
      name={view.name}
      title={title}
      menuItems={menuItems}
    />
  )
}

/** Says neither what the tile shows nor where it comes from. */
const UnavailableTile = ({ handle, menuItems }: Pick<TileProps, 'handle' | 'menuItems'>) => (
  <TileFrame
    name={t('Not available')}
    title={
      <h2 className="dashboard-title">
        {handle}
        <span>{t('Not available')}</span>
      </h2>
    }
    menuItems={menuItems}
  >
    <p className="dashboard-unavailable">
      <IconEyeOff size={18} stroke={1.5} aria-hidden />
      {t('This item was deleted, or you don’t have access to it.')}
    </p>
  </TileFrame>
)

type TileMenuItemsProps = {
  readonly item: DashboardItemBody
  readonly items: readonly DashboardItemBody[]
  readonly reorder: Reorder<DashboardItemBody>
  readonly onSize: (size: Partial<Pick<DashboardItemBody, 'width' | 'height'>>) => void
  readonly onRemove: () => void
}

const WIDTH_LABELS: { readonly [Width in (typeof ITEM_WIDTHS)[number]]: string } = {
  3: t('A quarter'),
  4: t('A third'),
  6: t('Half'),
  8: t('Two thirds'),
  12: t('Full width'),
}

const HEIGHT_LABELS: { readonly [Height in (typeof ITEM_HEIGHTS)[number]]: string } = {
  small: t('Low'),
  medium: t('Medium height'),
  large: t('Tall'),
}

function TileMenuItems({ item, items, reorder, onSize, onRemove }: TileMenuItemsProps) {
  const at = items.findIndex(({ id }) => id === item.id)
  return (
    <>
      <Menu.Divider />
      <MenuItem
        icon={IconArrowLeft}
        label={t('Move earlier')}
        disabled={at <= 0}
        onClick={() => reorder.move(item, -1)}
      />
      <MenuItem
        icon={IconArrowRight}
        label={t('Move later')}
        disabled={at === items.length - 1}
        onClick={() => reorder.move(item, 1)}
      />
      <SizeItems
        label={t('Width')}
        values={ITEM_WIDTHS}
        labels={WIDTH_LABELS}
        value={item.width}
        onChange={(width) => onSize({ width })}
      />
      <SizeItems
        label={t('Height')}
        values={ITEM_HEIGHTS}
        labels={HEIGHT_LABELS}
        value={item.height}
        onChange={(height) => onSize({ height })}
      />
      <Menu.Divider />
      <MenuItem icon={IconTrash} label={t('Remove from dashboard')} onClick={onRemove} />
    </>
  )
}

type SizeItemsProps<Value extends string | number> = {
  readonly label: string
  readonly values: readonly Value[]
  readonly labels: { readonly [Each in Value]: string }
  readonly value: Value
  readonly onChange: (value: Value) => void
}

/** The menu stays open, so that sizes can be tried. */
function SizeItems<Value extends string | number>({ label, values, labels, value, onChange }: SizeItemsProps<Value>) {
  const choose = (text: string) => {
    const chosen = values.find((each) => String(each) === text)
    if (chosen !== undefined) onChange(chosen)
  }
  return (
    <Menu.RadioGroup value={String(value)} onChange={choose}>
      <Menu.Label>{label}</Menu.Label>
      {values.map((each) => (
        <Menu.RadioItem key={each} value={String(each)}>
          {labels[each]}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )
}
