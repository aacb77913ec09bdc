import type { CollectionBody } from '#api/collections.ts'
import type { Reorder } from '#web/shared/reorder/use-reorder.ts'
import type { SidebarRow } from './sidebar-rows.ts'

/** What a menu of the sidebar asks before something is done. */
export type SidebarDialog =
  | { readonly type: 'look'; readonly collection: string }
  | { readonly type: 'group'; readonly collection: string }
  | { readonly type: 'rename'; readonly group: string }

/** What every line of the sidebar is given. */
export type SidebarRowProps = {
  readonly reorder: Reorder<SidebarRow<CollectionBody>>
  readonly mayArrange: boolean
  /** How many records each collection has, by its id; of those that are not there nobody knows. */
  readonly counts: ReadonlyMap<string, number>
  readonly onAsk: (question: SidebarDialog) => void
}
