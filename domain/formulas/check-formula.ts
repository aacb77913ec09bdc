import type { RollupFunction } from '#domain/fields/field.ts'
import { didYouMean } from '#domain/query/filter/did-you-mean.ts'
import { type Result, fail, ok } from '#domain/shared/result.ts'
import { type Expression, type FormulaType, constant, depthOf, emptyConstant, sizeOf } from './expression.ts'
import { MAX_FORMULA_DEPTH, MAX_FORMULA_SIZE } from './formula-limits.ts'
import type { FormulaFunction, Parameter, ParameterType } from './functions/formula-function.ts'
import { FUNCTIONS, signatureOf } from './functions/functions.ts'
import { SUMMARY_FUNCTIONS } from './functions/summary-functions.ts'
import { formulaNumber } from './operations/numbers.ts'
import { buildOperator } from './operators.ts'
import { type FormulaNode, parseFormula } from './parse-formula.ts'
import { type FormulaFault, type Typed, TYPE_LABELS, asType, conversion, faultAt } from './typing.ts'

/**
 * Finds a summary of linked records by a path of names or IDs, or without a function, the value of the only linked
 * record. Undefined if the path doesn't lead to linked records.
 */
export type FindLinked = (
  path: readonly string[],
  summarizes: RollupFunction | undefined,
) => Result<Expression, string> | undefined

/** The fields that a formula can refer to, by name or ID. Hidden fields don't exist. */
export type FormulaScope = {
  readonly find: (nameOrId: string) => Result<Expression, string> | undefined
  readonly names: readonly string[]
  /** Absent in conditions, which can't use values of linked records. */
  readonly findLinked?: FindLinked | undefined
}

type Checked = Result<Typed, FormulaFault>

/** Checks the syntax, names and types of a formula. */
export function checkFormula(text: string, scope: FormulaScope): Result<Expression, FormulaFault> {
  const parsed = parseFormula(text)
  if (!parsed.ok) return fail({ ...parsed.fault, end: Math.max(parsed.fault.position + 1, 1) })
  const node = checkNode(parsed.value, scope)
  if (!node.ok) return node
  const expression = node.value === 'blank' ? emptyConstant('text') : node.value
  const isTooLarge = depthOf(expression) > MAX_FORMULA_DEPTH || sizeOf(expression) > MAX_FORMULA_SIZE
  return isTooLarge
    ? fail({
        message: 'The formula, with the formulas it refers to, has too many parts.',
        position: 0,
        end: text.length,
      })
    : ok(expression)
}

function checkNode(node: FormulaNode, scope: FormulaScope): Checked {
  switch (node.type) {
    case 'literal':
      return checkLiteral(node)
    case 'field':
      return checkReference(node, scope)
    case 'call':
      return checkCall(node, scope)
    case 'operator': {
      const args = checkAll(node.args, scope)
      return args.ok ? buildOperator(node, args.value) : args
    }
  }
}

function checkLiteral(node: Extract<FormulaNode, { type: 'literal' }>): Checked {
  const { value } = node
  if (typeof value === 'boolean') return ok(constant('boolean', value))
  if (typeof value === 'string') {
    // PostgreSQL can't store these characters.
    return value.includes('\0') || !value.isWellFormed()
      ? faultAt(node, 'The text contains invalid characters.')
      : ok(constant('text', value))
  }
  const number = formulaNumber(value)
  return number === null ? faultAt(node, 'This number is too large.') : ok(constant('number', number))
}

function checkReference(node: Extract<FormulaNode, { type: 'field' }>, scope: FormulaScope): Checked {
  const { name } = node
  const { find, names, findLinked } = scope
  if (name.includes('.')) return linkedValue(node, findLinked?.(name.split('.'), undefined))
  const found = find(name)
  if (found) return found.ok ? found : faultAt(node, found.fault)
  if (FUNCTIONS.has(name.toLowerCase())) return faultAt(node, `“${name}” is a function. Add parentheses: ${name}().`)
  return faultAt(node, `There is no field “${name.slice(0, 80)}”.${didYouMean(name, names)}`)
}

function linkedValue(node: FormulaNode, found: Result<Expression, string> | undefined): Checked {
  if (!found) return faultAt(node, NO_LINKED)
  return found.ok ? found : faultAt(node, found.fault)
}

const NO_LINKED =
  'Conditions can’t calculate with linked records. Add a formula field for this value and use the field here.'

/** A summary of linked records; undefined if the argument isn't a path to them. */
function checkSummary({ name, args }: Call, { findLinked }: FormulaScope): Checked | undefined {
  const known = SUMMARY_FUNCTIONS.get(name.toLowerCase())
  const [path, ...more] = args
  if (!known || path?.type !== 'field' || more.length > 0) return undefined
  const found = findLinked?.(path.name.split('.'), known.summarizes)
  return found || path.name.includes('.') ? linkedValue(path, found) : undefined
}

function checkAll(nodes: readonly FormulaNode[], scope: FormulaScope): Result<readonly Typed[], FormulaFault> {
  const all: Typed[] = []
  for (const node of nodes) {
    const one = checkNode(node, scope)
    if (!one.ok) return one
    all.push(one.value)
  }
  return ok(all)
}

type Call = Extract<FormulaNode, { type: 'call' }>

function checkCall(node: Call, scope: FormulaScope): Checked {
  const name = node.name.toLowerCase()
  if (name === 'blank' && node.args.length === 0) return ok('blank')
  const summary = checkSummary(node, scope)
  if (summary) return summary
  const known = FUNCTIONS.get(name)
  if (!known) return unknownFunction(node)
  const { parameters, typesOf } = known
  const required = parameters.filter(({ isOptional }) => isOptional !== true).length
  const isRepeated = parameters.at(-1)?.isRepeated === true
  if (node.args.length < required || (!isRepeated && node.args.length > parameters.length))
    return faultAt(node, `Use ${signatureOf(name, known)}.`)
  const checked = checkAll(node.args, scope)
  if (!checked.ok) return checked
  const types = typesOf?.(node.args.length) ?? node.args.map((_, place) => parameterAt(known, place).type)
  return applyFunction({ node, known, types, given: checked.value })
}

function unknownFunction(node: Call): Checked {
  const name = node.name.toLowerCase()
  const summary = SUMMARY_FUNCTIONS.get(name)
  if (summary) return faultAt(node, `${name} summarizes one field of linked records, such as ${summary.example}.`)
  const meant = didYouMean(name, [...FUNCTIONS.keys(), ...SUMMARY_FUNCTIONS.keys()])
  return faultAt(node, `There is no function “${node.name.slice(0, 80)}”.${meant}`)
}

const parameterAt = ({ parameters }: FormulaFunction, place: number): Parameter => {
  const parameter = parameters[Math.min(place, parameters.length - 1)]
  if (!parameter) throw new Error('The number of arguments has been checked.')
  return parameter
}

type Application = {
  readonly node: Call
  readonly known: FormulaFunction
  readonly types: readonly ParameterType[]
  readonly given: readonly Typed[]
}

function applyFunction(application: Application): Checked {
  const { node, known, types, given } = application
  const args: Expression[] = []
  const shared = { same: sharedType(application, 'same'), outcome: sharedType(application, 'outcome') }
  for (const [place, type] of types.entries()) {
    const argNode = node.args[place] ?? node
    const arg = argumentOf(given[place] ?? 'blank', type, shared)
    const fault = arg === undefined ? mismatch(application, place, shared) : wordFault(argNode, known, place)
    if (arg === undefined || fault !== undefined) return faultAt(argNode, fault ?? '')
    args.push(type === 'word' ? constant('text', wordOf(argNode, known, place) ?? '') : arg)
  }
  return ok(known.build(args))
}

type Shared = { readonly same: FormulaType | undefined; readonly outcome: FormulaType | undefined }

/** The type of the first argument with a type, except a text that can be read as a date of another argument. */
function sharedType({ types, given, known, node }: Application, group: 'same' | 'outcome'): FormulaType | undefined {
  const members = given.flatMap((one, place) => (types[place] === group && one !== 'blank' ? [{ one, place }] : []))
  const exact = members.find(({ place }) => node.args[place]?.type !== 'literal') ?? members[0]
  const type = exact?.one.type ?? 'text'
  const accepts = group === 'same' ? known.accepts : undefined
  return type === 'wall' || (accepts && !accepts.includes(type)) ? undefined : type
}

/** Undefined if the argument has another type. */
function argumentOf(arg: Typed, type: ParameterType, shared: Shared): Expression | undefined {
  switch (type) {
    case 'any':
      return arg === 'blank' ? emptyConstant('text') : arg
    case 'time':
      if (arg === 'blank') return emptyConstant('date')
      return arg.type === 'date' || arg.type === 'date-time' ? arg : asType(arg, 'date')
    case 'word':
      return arg === 'blank' ? undefined : arg
    case 'same':
    case 'outcome': {
      const wanted = shared[type]
      return wanted === undefined ? undefined : asType(arg, wanted)
    }
    case 'number':
    case 'text':
    case 'boolean':
    case 'date':
    case 'date-time':
      return asType(arg, type)
  }
}

function mismatch({ node, known, types, given }: Application, place: number, shared: Shared): string {
  const type = types[place] ?? 'any'
  const arg = given[place]
  const name = node.name.toLowerCase()
  const found = arg === undefined || arg === 'blank' ? 'an empty value' : TYPE_LABELS[arg.type]
  const group = type === 'same' || type === 'outcome' ? shared[type] : undefined
  const wanted = group ?? (type === 'time' ? 'date' : type)
  if (wanted === 'same' || wanted === 'outcome' || wanted === 'any' || wanted === 'word')
    return `${signatureOf(name, known)} doesn’t accept ${found}.`
  return `“${parameterAt(known, place).name}” of ${name} must be ${TYPE_LABELS[wanted]}, not ${found}.${conversion(arg, wanted)}`
}

/** The normal form of a unit or another word; undefined if it isn't one. */
function wordOf(node: FormulaNode, known: FormulaFunction, place: number): string | undefined {
  const { words, checkWord } = parameterAt(known, place)
  if (node.type !== 'literal' || typeof node.value !== 'string') return undefined
  if (words) return Object.hasOwn(words, node.value) ? words[node.value] : undefined
  return checkWord?.(node.value) === undefined ? node.value : undefined
}

function wordFault(node: FormulaNode, known: FormulaFunction, place: number): string | undefined {
  const { type, name, words, checkWord } = parameterAt(known, place)
  if (type !== 'word' || wordOf(node, known, place) !== undefined) return undefined
  if (node.type !== 'literal' || typeof node.value !== 'string') return `“${name}” must be a text in double quotes.`
  const fault = checkWord?.(node.value)
  if (fault !== undefined) return fault
  const examples = [...new Set(Object.values(words ?? {}))]
  return `“${name}” must be one of ${examples.join(', ')}.${didYouMean(node.value, examples)}`
}
