import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { collectionPath, useFollow } from '#web/shared/navigation/app-link.tsx'
import { IconLock } from '#web/ui/icons/start.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { t } from '#web/i18n/t.ts'
import { type ViewNoticeProps, type ViewsBarProps, focusCurrentView } from './views-props.ts'
import { NO_VIEW } from './use-views.ts'
import '#web/ui/layout/tab-links.css'
import './views.css'

/** Loaded on demand, after the list. */
const actions = lazyModule(() => import('./view-actions.tsx'))
const notice = lazyModule(() => import('./view-notice.tsx'))

export function ViewsBar(props: ViewsBarProps) {
  const { view, views, collection, isPlain } = props
  const { ViewActions } = useLazyModule(actions, false) ?? {}
  const list = useCurrentInSight(view?.id)
  const plain = views.some(({ isDefault }) => isDefault) ? `?view=${NO_VIEW}` : ''
  const path = collectionPath(collection.name)
  return (
    <div className="views-bar">
      <nav className="tab-links" aria-label={t('Views')}>
        <ul ref={list}>
          <ViewTab href={`${path}${plain}`} isCurrent={isPlain}>
            {t('All records')}
          </ViewTab>
          {views.map((each) => (
            <ViewTab
              key={each.id}
              href={`${path}?view=${each.id}`}
              isCurrent={each.id === view?.id}
              isFirstOwn={!each.isShared && views.find(({ isShared }) => !isShared) === each}
            >
              <span className="view-name" dir="auto">
                {each.name}
              </span>
              {each.isLocked && <IconLock size={13} stroke={1.75} role="img" aria-label={t('locked')} />}
              {!each.isShared && <span className="visually-hidden">{`, ${t('private')}`}</span>}
            </ViewTab>
          ))}
        </ul>
      </nav>
      {!ViewActions && props.isChanged && <div className="views-actions" />}
      {ViewActions && !props.areComing && (
        <ViewActions {...props} onGone={() => list.current?.querySelector('a')?.focus()} />
      )}
    </div>
  )
}

type ViewTabProps = {
  readonly href: string
  readonly isCurrent: boolean
  readonly isFirstOwn?: boolean
  readonly children: ReactNode
}

function ViewTab({ href, isCurrent, isFirstOwn = false, children }: ViewTabProps) {
  const follow = useFollow()
  return (
    <li className={isFirstOwn ? 'views-own' : undefined}>
      <a href={href} onClick={follow} {...(isCurrent && { 'aria-current': 'page' })}>
        {children}
      </a>
    </li>
  )
}

export function MissingPartsNotice({
  collection,
  view,
  content,
}: Pick<ViewsBarProps, 'collection' | 'view' | 'content'>) {
  const isDue = view !== undefined && view.fellAway.length > 0
  return isDue ? <NoticeOf collection={collection} view={view} content={content} /> : null
}

function NoticeOf(props: ViewNoticeProps) {
  const { ViewNotice } = useLazyModule(notice, true) ?? {}
  return ViewNotice ? <ViewNotice {...props} /> : null
}

/** A layout change remounts the tabs, so focus must be restored. */
let hadFocus = false

/** Scrolls the active view's tab into view and keeps focus on it. */
function useCurrentInSight(view: string | undefined) {
  const list = useRef<HTMLUListElement>(null)
  useLayoutEffect(() => {
    const own = list.current
    if (hadFocus) own?.querySelector<HTMLElement>('[aria-current]')?.focus()
    hadFocus = false
    return () => {
      hadFocus = own?.contains(document.activeElement) === true
    }
  }, [])
  const shown = useRef(view)
  useEffect(() => {
    // The dialog that saved the view may already be closed, with no element to return focus to.
    if (view !== undefined && view !== shown.current) focusCurrentView()
    shown.current = view
  }, [view])
  useEffect(() => {
    const own = list.current
    if (view === undefined || !own) return undefined
    // Reserves space for the view actions, which load later.
    const resized = new ResizeObserver(() =>
      own.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    )
    resized.observe(own)
    return () => resized.disconnect()
  }, [view])
  return list
}
