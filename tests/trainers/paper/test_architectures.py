"""Names, notations and files become architectures."""

import pytest

import mixhop_tf
from mixhop_tf import Architecture, SettingError
from mixhop_tf.baselines import GCN
from trainers.paper import architectures
from trainers.paper.architectures import PUBLISHED, ArchitectureRequest
from trainers.paper.presets import MODELS, PRESETS, preset

ORIGINAL = preset("original", "cora")
CORA_LEARNED, PUBMED_THREE = PUBLISHED["learned"]["cora"], PUBLISHED["three_layers"]["pubmed"]


def resolved(text, dataset="cora", num_classes=7, hidden_dims=None, **fields):
    request = ArchitectureRequest(name=text, hidden_dims=hidden_dims, fields=fields)
    return request.resolve(dataset, num_classes, ORIGINAL, lambda: pytest.fail("not needed"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("learned", CORA_LEARNED),
        ("0:24:0,1:18:7,2:18:7", CORA_LEARNED),
        ("default", Architecture.default(7)),
        ("0,1,2", Architecture.default(7)),
        ("baseline", Architecture.baseline(7)),
    ],
)
def test_names_and_notations(text, expected):
    assert resolved(text) == expected


def test_a_json_file_brings_its_own_dropout(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(PUBMED_THREE.to_json(), encoding="utf-8")
    assert resolved(str(path), "pubmed", 3) == PUBMED_THREE
    assert resolved("three_layers", "pubmed", 3) == PUBMED_THREE


def test_options_go_before_the_preset_and_before_the_file():
    made = resolved("learned", input_dropout=0.1, hidden_dropout=0.2, activation="tanh")
    assert [layer.dropout for layer in made.layers] == [0.1, 0.2]
    assert [layer.activation for layer in made.layers] == ["tanh", None]
    deep = resolved("three_layers", "pubmed", 3, input_dropout=0.0, hidden_dropout=0.5)
    assert [layer.dropout for layer in deep.layers] == [0.0, 0.5, 0.5]
    assert deep.output_dropout == 0.5
    assert [layer.width for layer in resolved("0,1", hidden_dims=(40, 20)).layers] == [40, 20, 14]


def test_a_rate_of_zero_is_an_option_too():
    assert resolved("learned", input_dropout=0.0).layers[0].dropout == 0.0


def test_citation_graphs_prefer_what_the_paper_learned():
    assert architectures.preferred("cora") == "learned"
    assert architectures.preferred("my/graph.npz") == "default"


@pytest.mark.parametrize(
    ("text", "dataset", "options", "complaint"),
    [
        ("learnt", "cora", {}, ["must be one of default, baseline, learned", "Received: 'learnt'"]),
        ("learned", "my.npz", {}, ["published only for cora, citeseer, pubmed", "for my.npz use"]),
        ("three_layers", "cora", {}, ["published only for pubmed", "for cora use default"]),
        ("0:24:0,1:18", "cora", {}, ["`architecture` must fit cora", "Received: '0:24:0,1:18'"]),
        ("0:24:0,1:18:3", "cora", {}, ["its output has 3 columns, but cora has 7 classes"]),
        ("learned", "cora", {"hidden_dims": (60,)}, ["`hidden_dims` works only with a notation"]),
        ("default", "cora", {"hidden_dropout": 1.0}, ["`hidden_dropout` must be at least 0 and"]),
        ("default", "cora", {"input_dropout": -0.1}, ["`input_dropout` must be at least 0 and"]),
        (
            "default",
            "cora",
            {"heads": 2},
            ["`heads` must be left out, because MixHop"],
        ),
    ],
)
def test_what_cannot_be_resolved_is_refused_in_a_sentence(text, dataset, options, complaint):
    with pytest.raises(SettingError) as caught:
        resolved(text, dataset, **options)
    for part in complaint:
        assert part in str(caught.value)


@pytest.mark.parametrize("activation", ["rule", "glu"])
def test_an_activation_that_keras_lacks_is_refused(activation):
    with pytest.raises(SettingError, match=rf"`activation` .*Keras.*'{activation}'"):
        mixhop_tf.check_activations(resolved("default", activation=activation))


@pytest.mark.parametrize("content", [b"{}", b"[", b"\xff\xfe", b"3", b'{"version": 1}'])
def test_a_damaged_file_is_refused_by_name(tmp_path, content):
    path = tmp_path / "a.json"
    path.write_bytes(content)
    with pytest.raises(SettingError, match=r"`architecture` must .*a\.json"):
        resolved(str(path))


@pytest.mark.parametrize("activation", ['"foo"', "5"])
def test_an_activation_in_a_file_is_checked_too(tmp_path, activation):
    path = tmp_path / "a.json"
    text = CORA_LEARNED.to_json().replace('"relu"', activation)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingError, match="activation"):
        mixhop_tf.check_activations(resolved(str(path)))


def test_the_file_of_a_baseline_is_no_architecture_of_mixhop(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(GCN(hidden_width=4).to_json(), encoding="utf-8")
    with pytest.raises(SettingError, match="this is a gcn's; name the model instead"):
        resolved(str(path))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(OSError, match=r"missing\.json"):
        resolved(str(tmp_path / "missing.json"))


@pytest.mark.parametrize("model", MODELS)
def test_every_preset_has_settings_for_any_graph_but_those_searched_for_some(model):
    for name in PRESETS[model].keys() - {"tuned", "tuned-random"}:
        assert preset(name, "my/graph", model).settings.learning_rate > 0


def test_what_was_searched_on_some_graphs_is_for_no_other():
    with pytest.raises(SettingError, match=r"must fit my/graph .*is for cora, citeseer, pubmed"):
        preset("tuned", "my/graph", "ica")
    with pytest.raises(SettingError, match=r"must fit my/graph .*is for cora, citeseer, pubmed"):
        preset("tuned-random", "my/graph", "gcn")
