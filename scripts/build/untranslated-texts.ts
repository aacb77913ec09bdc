import type { ESTree } from 'vite'

type Node = ESTree.Node

export type UntranslatedText = { readonly node: Node; readonly parents: readonly Node[]; readonly text: string }

const TECHNICAL_ATTRIBUTE =
  /^(?:className|classNames|id|to|from|href|src|type|role|name|htmlFor|key|style|styles|rel|target|d|viewBox|points|transform|fill|stroke\w*|accept|autoComplete|inputMode|enterKeyHint|variant|size|color|component|lang|dir|value|method|position|withinPortal|w|h|gap|justify|align|sandbox|allow|pattern|data-[\w-]+|aria-(?:live|haspopup|controls|labelledby|describedby|current|sort|keyshortcuts|owns|activedescendant|orientation|autocomplete))$/

const TECHNICAL_CALL =
  /^(?:t|plural|Error|TypeError|RangeError|RegExp|querySelector|querySelectorAll|closest|matches|matchMedia|useMediaQuery|addEventListener|removeEventListener|lazyModule|lazy|createElement|setProperty|getPropertyValue|getItem|setItem|set|has|get|startsWith|endsWith|includes|split|join|replaceAll|replace|indexOf|DOMException|CSS|supports|execCommand|toggleMark|log|warn|test|describe|URL|Worker|BroadcastChannel|append|parseHTML|setMeta|setAttribute|getAttribute|animate|press)$/

const TECHNICAL_KEY =
  /^(?:key|code|keys|authorization|className|class|type|role|icon|path|to|id|kind|color|group|content|marks|parseDOM|tag|selector|style|transition|transform|gridTemplate\w*|background\w*|border\w*|boxShadow|font\w*|width|height|inset\w*|margin\w*|padding\w*|mask\w*|overflow\w*|method|coverage|eventName|accept|media|props|cursor|ease|easing|animation|op)$/

/** Key, product and format names. */
const NAMES =
  /^(?:Enter|Escape|Esc|Tab|Space|End|PageUp|PageDown|Arrow\w+|Backspace|Shift|Control|Ctrl|Meta|Alt|Mod|Dossier|F\d+|Mod-.*|Shift-.*|Alt-.*|Ctrl-.*|Control-.*|Key[A-Z]|Digit\d|Numpad\w+|GET|POST|PATCH|PUT|DELETE|Content-Type|Accept|Authorization|Bearer|Idempotency-Key|Upload-\w+|Tus-\w+|Mac|Intl|Dead|Process|ContextMenu|NaN|Infinity|UTC|Europe\/\w+|Inter Variable|Unidentified|Blob|AbortError|NotAllowedError|InvalidStateError|TimeoutError|NotFoundError|QuotaExceededError|InputMode|ENTER|HEAD)$/

const IS_CODE =
  /[{}[\]<>#=_\\|]|;\S|;$|https?:|\w\.\w|^\W*[a-z]+(?:-[a-z]+)+|\bvar\(|\(§|§(?:px|ms|%)|\b\d+(?:px|ms|s|rem|em|fr)\b|^[\w-]+\/[\w-]+$/

/** Strings that look like sentences but are file names, ProseMirror rules, HTML or query fragments. */
const CODE_TEXTS: readonly { readonly where: RegExp; readonly text: RegExp }[] = [
  // Storage keys and IDs.
  { where: /^web\//, text: /^(?:upload|bytes|draft|favourite|group) §$/ },
  { where: /^web\/features\/api-docs\/curl-command\.ts$/, text: /^curl |^-H |^Content-Type: / },
  { where: /^web\/features\/help\/filter-help\.ts$/, text: /^"|^§ § § / },
  // Key names that are also words.
  { where: /resize-handle|viewer-keys|ui-texts/, text: /^Home$/ },
  // Console messages for developers.
  { where: /^web\/features\/tours\/tour-runner\.tsx$/, text: /is not on the page\.$/ },
  { where: /^web\/app\/frame\/uploads-button\.tsx$/, text: /^files §/ },
  { where: /^web\/features\/workspace\/user-attributes-panel\.tsx$/, text: /^@me/ },
  { where: /^web\/(?:ui\/editor|field-kinds\/typed-text)\//, text: /^noopener noreferrer$/ },
  { where: /^web\/ui\/editor\//, text: /^(?:paragraph|block) nested|^(?:\w+\d?, )+\w+\d?$/ },
  { where: /^web\/ui\/grid\/clipboard\/clipboard-table\.ts$/, text: /^nbsp / },
  // Filter operators; only their labels are translated.
  { where: /^web\/shared\/conditions\/|^domain\/query\/(?!filter\/operators)/, text: /^(?:id )?is (?:not )?empty$/ },
  { where: /^web\/views\/listing\/summaries\/summary-requests\.ts$/, text: /^§ is §empty$/ },
  { where: /./, text: /^(?:NFK?[CD]|Alt\+ArrowUp Alt\+ArrowDown|Dossier|JSON|PDF|CSV|ZIP|Excel|EUR|&gt;)$/ },
  // Currency codes.
  { where: /^domain\/fields\/number-text\.ts$/, text: /^[A-Z]{3}$/ },
  { where: /^domain\/sessions\/password-rules\.ts$/, text: /^\s*password passwort/ },
  { where: /^domain\/sessions\/device-name\.ts$/, text: /^(?:\w+$|Samsung|Yandex)/ },
  {
    where: /^domain\/(?:specification|shared\/problem|assets\/signed-url-claims|access\/built-in-roles)\.ts$/,
    text: /./,
  },
  { where: /^domain\/uploads\/tus-headers\.ts$/, text: /./ },
  // Date formats have English names, and examples of formulas are in English.
  { where: /^domain\/formulas\/operations\/date-formats\.ts$/, text: /^(?:\p{Lu}\p{Ll}+|\p{Lu}+)$/u },
  {
    where: /^domain\/formulas\/functions\//,
    text: /^(?:\w+\(.*\)|YYYY[-MD Hm:]*|(?:Hi! ?)+|n fox|Jane|get (?:met|mold)|text only|Hello!|HELLO!)$/,
  },
  // Component display names.
  { where: /^web\/app\//, text: /^(?:Frame|Shell)$/ },
  { where: /^web\/ui\/shortcuts\/|^web\/features\/shortcuts\//, text: /^(?:Plus|Command)$/ },
]

/** Single-word UI strings that look like code. */
const SHORT_UI_TEXTS: readonly { readonly where: RegExp; readonly text: RegExp }[] = [
  { where: /^domain\/query\/filter\/operators\.ts$/, text: /^(?:is|contains)$/ },
  { where: /^domain\/fields\/field\.ts$/, text: /^people$/ },
  { where: /^domain\/access\/describe-grant\.ts$/, text: /^(?:all|no)$/ },
  { where: /^domain\/audit\/audit-changes\.ts$/, text: /^(?:all|none|yes|no|everything)$/ },
  { where: /^domain\/access\/describe-grant\.ts$/, text: /^not$/ },
  { where: /^domain\/access\/check-policy\.ts$/, text: /^condition$/ },
  { where: /^domain\/audit\/describe-audit\.ts$/, text: /^(?:password|passkey|link)$/ },
]

function looksLikeSentence(text: string): boolean {
  const trimmed = text.trim()
  // Quotation marks differ by language.
  if (trimmed.includes('“§”')) return true
  if (!/\p{L}{2}/u.test(trimmed) || NAMES.test(trimmed)) return false
  if (/^\p{Lu}\p{Ll}+[\p{Ll}\d]*(?:[\p{Lu}]\p{Ll}+)+$/u.test(trimmed)) return false
  if (/^[“„]?\p{Lu}[\p{L}’'-]*(?:[.,:;!?…”]*$|[.,:;!?…”]* )/u.test(trimmed)) return true
  return /[\p{L}§][,:]? [\p{L}§]/u.test(trimmed) && !IS_CODE.test(trimmed)
}

const nameOf = (node: Node | undefined): string => {
  if (node?.type === 'Identifier' || node?.type === 'JSXIdentifier') return node.name
  if (node?.type === 'MemberExpression') return nameOf(node.property)
  if (node?.type === 'Literal') return String(node.value)
  return node?.type === 'JSXNamespacedName' ? `${node.namespace.name}:${node.name.name}` : ''
}

type Above = { readonly above: Node; readonly below: Node; readonly node: Node; readonly next: Node | undefined }

/** Whether a call, attribute or property accepts strings that aren't shown in the UI. */
function isTechnicalPlace({ above, below, node, next }: Above): boolean {
  if (above.type === 'Property')
    return (above.key === below && !above.computed) || TECHNICAL_KEY.test(nameOf(above.key))
  if (above.type === 'JSXAttribute') {
    return TECHNICAL_ATTRIBUTE.test(nameOf(above.name)) || (nameOf(above.name) === 'text' && isSay(next))
  }
  if (above.type !== 'CallExpression' && above.type !== 'NewExpression') return false
  const isArgument = above.callee !== below && (below === node || isLiteralOf(below))
  return isArgument && TECHNICAL_CALL.test(nameOf(above.callee))
}

/** Whether a string is compared, imported, thrown, used as a key, or part of a type. */
function isTechnicalUse({ above, below }: Above): boolean {
  if (above.type === 'BinaryExpression') return /^(?:[!=]==?|in|instanceof)$/.test(above.operator)
  if (above.type === 'SwitchCase') return above.test === below
  if (above.type === 'MemberExpression') return above.computed && above.property === below
  return /^(?:Import|ExportAll|TaggedTemplate|TSLiteralType|TSTemplateLiteralType)/.test(above.type)
}

/** Strings inside these nodes are checked separately. */
const CHECKED_BY_ITSELF = /^(?:JSXElement|ArrowFunctionExpression|FunctionExpression)$/

function isTechnical(node: Node, parents: readonly Node[]): boolean {
  let below = node
  for (const [index, above] of [...parents.entries()].toReversed()) {
    if (CHECKED_BY_ITSELF.test(above.type)) return false
    const place = { above, below, node, next: parents[index - 1] }
    if (isTechnicalPlace(place) || isTechnicalUse(place)) return true
    below = above
  }
  return false
}

const isLiteralOf = (node: Node): boolean => node.type === 'BinaryExpression' || node.type === 'TemplateLiteral'

const isSay = (node: Node | undefined): boolean => node?.type === 'JSXOpeningElement' && nameOf(node.name) === 'Say'

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Traverses the syntax tree and passes each node's ancestors to `visit`. */
function walk(node: Node, parents: readonly Node[], visit: (node: Node, parents: readonly Node[]) => void): void {
  visit(node, parents)
  const below = [...parents, node]
  for (const value of Object.values(node)) {
    const nodes: readonly unknown[] = Array.isArray(value) ? value : [value]
    for (const child of nodes) if (isNode(child)) walk(child, below, visit)
  }
}

function textOf(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node.type === 'JSXText') return node.value
  if (node.type !== 'TemplateLiteral') return undefined
  const text = node.quasis.map(({ value }) => value.cooked ?? value.raw).join('§')
  return /\p{L}{2}|“§”/u.test(text) ? text : undefined
}

/** Strings in a file that look like UI text but don't use `#web/i18n/`. */
export function untranslatedTextsIn(path: string, program: Node): UntranslatedText[] {
  const exempt = CODE_TEXTS.filter(({ where }) => where.test(path))
  const meant = SHORT_UI_TEXTS.filter(({ where }) => where.test(path))
  const found: UntranslatedText[] = []
  walk(program, [], (node, parents) => {
    const text = textOf(node)
    if (text === undefined) return
    const isMeant = meant.some((one) => one.text.test(text.trim()))
    const isSaid = isMeant || (node.type === 'JSXText' ? /\p{L}{2}/u.test(text) : looksLikeSentence(text))
    const isExempt = exempt.some((one) => one.text.test(text.trim()))
    if (isSaid && !isExempt && !isTechnical(node, parents)) found.push({ node, parents, text })
  })
  return found
}
