import { wrappingInputRule } from '@tiptap/core'
import { BulletList, ListItem, OrderedList, TaskItem, TaskList } from '@tiptap/extension-list'
import type { Node } from '@tiptap/pm/model'
import type { NodeView } from '@tiptap/pm/view'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'

/** Blocks allowed in a list item or quote: everything except headings, rules and tables. */
export const NESTED = 'block nested'

const ITEM_CONTENT = 'paragraph nested*'

export const PlainListItem = ListItem.extend({
  content: ITEM_CONTENT,
  addKeyboardShortcuts() {
    return { Enter: () => this.editor.commands.splitListItem(this.name) }
  },
})

export const DottedList = BulletList.extend({ group: `${NESTED} list` })

export const NumberedList = OrderedList.extend({
  group: `${NESTED} list`,
  addAttributes: () => ({
    start: {
      default: 1,
      parseHTML: (element: HTMLElement) => {
        const start = Number(element.getAttribute('start') ?? 1)
        return Number.isInteger(start) && start >= 0 && start <= 1_000_000 ? start : 1
      },
    },
  }),
  addInputRules() {
    return [
      wrappingInputRule({
        find: /^(\d{1,6})[.)]\s$/,
        type: this.type,
        getAttributes: (match) => ({ start: Number(match[1]) }),
        joinPredicate: (match, node) => node.childCount + Number(node.attrs['start']) === Number(match[1]),
      }),
    ]
  },
})

export const CheckList = TaskList.extend({ group: `${NESTED} list` })

const isChecked = (node: Node): boolean => node.attrs['checked'] === true

/** The checkbox isn't a tab stop; otherwise leaving a long list would take one key press per item. */
function taskView(first: Node, tick: (isTicked: boolean) => boolean): NodeView {
  const dom = document.createElement('li')
  const box = document.createElement('input')
  const contentDOM = document.createElement('div')
  box.type = 'checkbox'
  box.tabIndex = -1
  box.contentEditable = 'false'
  box.addEventListener('mousedown', (event) => event.preventDefault())
  box.addEventListener('change', () => {
    if (!tick(box.checked)) box.checked = !box.checked
  })
  dom.append(box, contentDOM)

  const paint = (node: Node) => {
    box.checked = isChecked(node)
    box.ariaLabel = UI_TEXTS.editor.task(node.firstChild?.textContent ?? '')
    dom.dataset['checked'] = String(isChecked(node))
    const { indent } = node.attrs
    if (indent) dom.dataset['indent'] = String(indent)
    else delete dom.dataset['indent']
  }
  paint(first)
  return {
    dom,
    contentDOM,
    update: (node) => {
      if (node.type !== first.type) return false
      paint(node)
      return true
    },
    ignoreMutation: (mutation) => !contentDOM.contains(mutation.target),
  }
}

export const Task = TaskItem.extend({
  content: ITEM_CONTENT,
  addKeyboardShortcuts() {
    const tickHere = () => {
      if (!this.editor.isActive(this.name)) return false
      return this.editor.commands.updateAttributes(this.name, {
        checked: this.editor.getAttributes(this.name)['checked'] !== true,
      })
    }
    return { Enter: () => this.editor.commands.splitListItem(this.name), 'Mod-Enter': tickHere }
  },
  addInputRules() {
    return [
      wrappingInputRule({
        find: /^\s*\[([ xX]?)\]\s$/,
        type: this.type,
        getAttributes: (match) => ({ checked: match[1]?.toLowerCase() === 'x' }),
      }),
    ]
  },
  addNodeView() {
    return ({ node, editor, getPos }) =>
      taskView(node, (isTicked) => {
        const place = getPos()
        if (!editor.isEditable || place === undefined) return false
        const { tr } = editor.state
        editor.view.dispatch(tr.setNodeAttribute(place, 'checked', isTicked))
        return true
      })
  },
}).configure({ nested: true })
