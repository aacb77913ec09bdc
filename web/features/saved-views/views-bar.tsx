import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'

import { collectionPath, useFollow } from '#web/shared/navigation/app-link.tsx'
import { IconLock } from '#web/ui/icons/start.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { t } from '#web/i18n/t.ts'
import { focusCurrentView } from './focus-view-tab.ts'
import { NO_VIEW } from './use-views.ts'
import type { ViewNoticeProps, ViewsBarProps } from './views-props.ts'
import '#web/ui/layout/tab-links.css'
import './views.css'

/** Nobody saves a view before they have looked at the list. */
const actions = lazyModule(() => import('./view-actions.tsx'))
/** Of few views a part is gone. */
const notice = lazyModule(() => import('./view-notice.tsx'))

/** The views of a collection side by side, and what can be done with the one in force. */
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

/** Says what of the view in force is gone. */
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

/** Whether the keyboard was on a tab when the bar went: a list by pages and one in one scroll each draw it anew. */
let hadFocus = false

/** Keeps the view in force in sight where there are more than fit, and the keyboard on it. */
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
    // The dialog that saved it may have closed before it was in force, with nowhere to leave the keyboard.
    if (view !== undefined && view !== shown.current) focusCurrentView()
    shown.current = view
  }, [view])
  useEffect(() => {
    const own = list.current
    if (view === undefined || !own) return undefined
    // What can be done with it comes later and takes room from it.
    const resized = new ResizeObserver(() =>
      own.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    )
    resized.observe(own)
    return () => resized.disconnect()
  }, [view])
  return list
}
