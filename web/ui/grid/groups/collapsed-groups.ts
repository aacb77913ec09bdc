// A file of its own: every list imports it, `group-rows.ts` only a grouped one.

/** Which groups are collapsed: all with exceptions, or none with exceptions. It stays small after "collapse all". */
export type CollapsedGroups = {
  readonly isCollapsed: boolean
  readonly except: ReadonlySet<string>
}

export const ALL_EXPANDED: CollapsedGroups = { isCollapsed: false, except: new Set() }

export const ALL_COLLAPSED: CollapsedGroups = { isCollapsed: true, except: new Set() }

export const isGroupCollapsed = (collapsed: CollapsedGroups, key: string): boolean =>
  collapsed.except.has(key) !== collapsed.isCollapsed

export function withToggled({ isCollapsed, except }: CollapsedGroups, key: string): CollapsedGroups {
  const next = new Set(except)
  if (!next.delete(key)) next.add(key)
  return { isCollapsed, except: next }
}
